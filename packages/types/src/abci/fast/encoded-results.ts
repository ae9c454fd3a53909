import { concatBytes } from '../../bytes/index.ts'
import { writeUvarint } from '../../schema/index.ts'
import type { ExecTxResult, TxResult } from '../common.ts'
import { ResponseFinalizeBlock } from '../response.ts'
import { ResultsWriter } from './results-writer.ts'

/** The tag of `result` in a `TxResult`. */
const RESULT_TAG = (4 << 3) | 2

/**
 * The results of a block's transactions, encoded once for two uses: the stored response contains all of the bytes, and
 * the transaction index copies the bytes of each single result.
 */
interface EncodedResults {
  /** The bytes of the field `txResults` of a `ResponseFinalizeBlock`. */
  readonly field: Uint8Array
  /**
   * The offset of the length prefix of each result in `field`, and one more entry at the end. In `field`, each result
   * has a tag of 1 byte, a length prefix and its bytes. So a result ends 1 byte before the offset of the next entry,
   * where the next tag begins. This rule also holds for the last result: the last entry is the length of `field` plus
   * 1.
   */
  readonly starts: readonly number[]
}

const encodings = new WeakMap<readonly ExecTxResult[], EncodedResults>()

function encodeResults(results: readonly ExecTxResult[]): EncodedResults {
  let encoded = encodings.get(results)
  if (encoded === undefined) {
    const writer = new ResultsWriter()
    const starts: number[] = []
    for (const result of results) starts.push(writer.result(result))
    // The list ends with the offset at which a further result would begin. A tag of 1 byte comes before each result.
    starts.push(writer.size + 1)
    encoded = { field: writer.finish(), starts }
    encodings.set(results, encoded)
  }
  return encoded
}

/** Returns the same bytes as `ResponseFinalizeBlock.encode`. */
export function encodeFinalizeBlock(response: ResponseFinalizeBlock): Uint8Array {
  const { events, txResults } = response
  if (txResults.length === 0) return ResponseFinalizeBlock.encode(response)
  const before = ResponseFinalizeBlock.encode(ResponseFinalizeBlock.create({ events }))
  const behind = ResponseFinalizeBlock.encode({ ...response, events: [], txResults: [] })
  return concatBytes(before, encodeResults(txResults).field, behind)
}

/**
 * Makes an encoder for the results of a block. Each call encodes one result with its transaction, and returns the same
 * bytes as `TxResult.encode`. The returned bytes are valid until the next call.
 */
export function createTxResultEncoder(results: readonly ExecTxResult[]): (tx: Omit<TxResult, 'result'>) => Uint8Array {
  const { field, starts } = encodeResults(results)
  let scratch = new Uint8Array(4096)
  return ({ height, index, tx }) => {
    const [from, to] = [starts[index] as number, (starts[index + 1] as number) - 1]
    const maxSize = 3 * (VARINT + 1) + tx.length + 1 + to - from
    if (scratch.length < maxSize) scratch = new Uint8Array(maxSize * 2)
    let at = varintField(scratch, 0, { number: 1, value: height })
    at = varintField(scratch, at, { number: 2, value: index })
    if (tx.length > 0) {
      scratch[at] = (3 << 3) | 2
      at = writeUvarint(scratch, at + 1, tx.length)
      scratch.set(tx, at)
      at += tx.length
    }
    scratch[at++] = RESULT_TAG
    scratch.set(field.subarray(from, to), at)
    return scratch.subarray(0, at + to - from)
  }
}

/** The maximum number of bytes of a safe integer that is encoded as a varint. */
const VARINT = 8

function varintField(target: Uint8Array, at: number, { number, value }: { number: number; value: number }): number {
  if (value === 0) return at
  target[at] = number << 3
  return writeUvarint(target, at + 1, value)
}
