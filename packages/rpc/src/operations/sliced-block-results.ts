import { ExecTxResult, ResponseFinalizeBlock } from '@org/types/abci'
import { concatList } from '@org/types/bytes'
import { Cursor, NO_ITEMS, stringifyJson } from '@org/types/schema'
import { blockResultsResult } from './results.ts'

/**
 * The size from which a response is decoded and written in pieces. A smaller response is decoded and written at once.
 */
const SLICED_FROM_BYTES = 64 * 1024

/** The number of the protobuf field with the results of transactions, and the tag of this field. */
const TX_RESULTS = 2
const TX_RESULTS_TAG = (TX_RESULTS << 3) | 2

interface Split {
  readonly txResults: readonly Uint8Array[]
  /** The encoded fields of the response, except the results of transactions. */
  readonly otherFields: Uint8Array
}

function split(bytes: Uint8Array): Split {
  const cursor = new Cursor(bytes)
  const txResults: Uint8Array[] = []
  const rest: Uint8Array[] = []
  while (cursor.pos < cursor.end) {
    const start = cursor.pos
    const tag = cursor.tag()
    if (tag === TX_RESULTS_TAG) txResults.push(cursor.view())
    else {
      cursor.skip(tag)
      rest.push(bytes.subarray(start, cursor.pos))
    }
  }
  return { txResults, otherFields: concatList(rest) }
}

const EMPTY_RESULTS = '"txs_results":null'

/**
 * Returns the JSON of a response without the results of its transactions. Returns `undefined` if the node may have
 * stored the response in the form of versions before v0.38.
 */
function textOfOtherFields(otherFields: Uint8Array, height: number): string | undefined {
  const response = ResponseFinalizeBlock.decode(otherFields)
  // A response in the form of versions before v0.38 has no app hash. In the form of v0.38, an application may also
  // return no app hash. So a response without an app hash may have either form, and is not written in pieces.
  if (response.appHash.length === 0) return undefined
  return blockResultsResult.stringify({
    height,
    txsResults: NO_ITEMS,
    finalizeBlockEvents: response.events,
    validatorUpdates: response.validatorUpdates,
    consensusParamUpdates: response.consensusParamUpdates,
    appHash: response.appHash,
  })
}

function* pieces(text: string, txResults: readonly Uint8Array[]): Generator<string> {
  const at = text.indexOf(EMPTY_RESULTS)
  yield `${text.slice(0, at)}"txs_results":`
  let before = '['
  for (const one of txResults) {
    yield before + stringifyJson(ExecTxResult.toJson(ExecTxResult.decode(one)))
    before = ','
  }
  yield `]${text.slice(at + EMPTY_RESULTS.length)}`
}

/**
 * Returns pieces of the JSON of `block_results`, made from a stored response. Each result of a transaction is a piece
 * of its own. Returns `undefined` if the response is small or in another form.
 */
export function slicedBlockResults(bytes: Uint8Array, height: number): Iterable<string> | undefined {
  if (bytes.length < SLICED_FROM_BYTES) return undefined
  try {
    const { txResults, otherFields } = split(bytes)
    const text = txResults.length === 0 ? undefined : textOfOtherFields(otherFields, height)
    return text === undefined ? undefined : pieces(text, txResults)
  } catch {
    // The response cannot be decoded. The code that decodes it as a whole reports the error.
    return undefined
  }
}
