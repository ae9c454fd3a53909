import { AbciResponsesInfo, LegacyAbciResponses } from '@org/types'
import { type Event, ResponseFinalizeBlock } from '@org/types/abci'
import { concatBytes, equalBytes } from '@org/types/bytes'
import { Writer } from '@org/types/schema'
import { STORE_ERRORS, StoreError } from './errors.ts'
import type { KeyValueStore } from './kv/index.ts'
import { readMessage } from './records.ts'
import { LAST_RESPONSE_KEY, responseKey } from './state-keys.ts'

/** The tag of the field with the response in an encoded `AbciResponsesInfo`. */
const RESPONSE_TAG = (3 << 3) | 2

function decodeOrUndefined<T>(decode: (bytes: Uint8Array) => T, bytes: Uint8Array): T | undefined {
  try {
    return decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Converts the form in which chains before v0.38 stored the responses for a block. This form has separate responses
 * for the beginning and the end of the block. Each of their events gets the attribute `mode`, which names the
 * response from which the event comes.
 */
function fromLegacyResponses({ deliverTxs, beginBlock, endBlock }: LegacyAbciResponses): ResponseFinalizeBlock {
  const from = (mode: string, events: readonly Event[]): Event[] =>
    events.map((event) => ({ ...event, attributes: [...event.attributes, { key: 'mode', value: mode, index: false }] }))
  return ResponseFinalizeBlock.create({
    txResults: deliverTxs,
    events: [...from('BeginBlock', beginBlock?.events ?? []), ...from('EndBlock', endBlock?.events ?? [])],
    ...(endBlock && {
      validatorUpdates: endBlock.validatorUpdates,
      consensusParamUpdates: endBlock.consensusParamUpdates,
    }),
  })
}

/**
 * Decodes the response that is stored for a height. The response may also have the form of chains before v0.38, which
 * has no app hash.
 */
function decodeResponse(bytes: Uint8Array, height: number): ResponseFinalizeBlock {
  const response = decodeOrUndefined(ResponseFinalizeBlock.decode, bytes)
  if (response !== undefined && response.appHash.length > 0) return response
  // The app hash is empty. Either the stored bytes have the form of chains before v0.38, which has no app hash. Or they
  // have the form of v0.38, and the application returned an empty app hash. To decide this, the response is encoded
  // again. If the new bytes equal the stored bytes, the stored bytes have the form of v0.38.
  if (response !== undefined && equalBytes(ResponseFinalizeBlock.encode(response), bytes)) return response
  const legacy = decodeOrUndefined(LegacyAbciResponses.decode, bytes)
  if (legacy === undefined) {
    const message = `failed to unmarshall FinalizeBlockResponse (also tried as legacy ABCI response) for height ${height}`
    throw new StoreError(STORE_ERRORS.corrupt, message, { data: { height } })
  }
  return fromLegacyResponses(legacy)
}

/** Returns an encoded `AbciResponsesInfo` that contains the height and its encoded response. */
export function lastResponseRecord(height: number, response: Uint8Array): Uint8Array {
  const place: AbciResponsesInfo = { legacyAbciResponses: undefined, height, responseFinalizeBlock: undefined }
  const length = new Writer()
  length.uint32(RESPONSE_TAG)
  length.uint32(response.length)
  return concatBytes(AbciResponsesInfo.encode(place), length.finish(), response)
}

export function loadResponse(db: KeyValueStore, height: number): ResponseFinalizeBlock {
  const bytes = db.get(responseKey(height))
  if (bytes === undefined || bytes.length === 0) {
    throw new StoreError(STORE_ERRORS.notFound, `could not find results for height #${height}`, { data: { height } })
  }
  return decodeResponse(bytes, height)
}

/**
 * Loads the response that is stored for recovery after a crash. Throws a {@link StoreError} if it is not the response
 * of `height`.
 */
export function loadLastResponse(db: KeyValueStore, height: number): ResponseFinalizeBlock {
  const refuse = (problem: string): StoreError => new StoreError(STORE_ERRORS.notFound, problem, { data: { height } })
  const info = readMessage(db, LAST_RESPONSE_KEY, AbciResponsesInfo)
  if (info === undefined) throw refuse('no last ABCI response has been persisted')
  if (info.height !== height) {
    throw refuse(`expected height ${height} but last stored abci responses was at height ${info.height}`)
  }
  if (info.responseFinalizeBlock !== undefined) return info.responseFinalizeBlock
  if (info.legacyAbciResponses !== undefined) return fromLegacyResponses(info.legacyAbciResponses)
  throw new StoreError(STORE_ERRORS.corrupt, 'the last ABCI response is empty', { data: { height } })
}
