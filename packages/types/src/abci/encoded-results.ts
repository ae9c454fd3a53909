import { concatBytes } from '../bytes/index.ts'
import { Writer } from '../schema/writer.ts'
import { ExecTxResult, type TxResult } from './common.ts'
import { ResponseFinalizeBlock } from './response.ts'

/** Of `tx_results` in a `ResponseFinalizeBlock`, and of `result` in a `TxResult`. */
const RESULTS_TAG = (2 << 3) | 2
const RESULT_TAG = (4 << 3) | 2

/**
 * The results of a block's transactions, encoded once: they go into the response that is kept, and into the index one by
 * one.
 */
export interface EncodedResults {
  /** As the field of a `ResponseFinalizeBlock`. */
  readonly field: Uint8Array
  /** Where the result of each transaction begins in `field`, behind its tag: its length and its bytes. The end is last. */
  readonly starts: readonly number[]
}

const encodings = new WeakMap<readonly ExecTxResult[], EncodedResults>()

export function encodeResults(results: readonly ExecTxResult[]): EncodedResults {
  let encoded = encodings.get(results)
  if (encoded === undefined) {
    const writer = new Writer()
    const starts: number[] = []
    for (const result of results) {
      writer.uint32(RESULTS_TAG)
      starts.push(writer.size)
      ExecTxResult.write(writer, result)
    }
    // As if one more tag followed.
    starts.push(writer.size + 1)
    encoded = { field: writer.finish(), starts }
    encodings.set(results, encoded)
  }
  return encoded
}

/** The same bytes as `ResponseFinalizeBlock.encode`. */
export function encodeFinalizeBlock(response: ResponseFinalizeBlock): Uint8Array {
  const { events, txResults } = response
  if (txResults.length === 0) return ResponseFinalizeBlock.encode(response)
  const before = ResponseFinalizeBlock.encode(ResponseFinalizeBlock.create({ events }))
  const behind = ResponseFinalizeBlock.encode({ ...response, events: [], txResults: [] })
  return concatBytes(before, encodeResults(txResults).field, behind)
}

/** The same bytes as `TxResult.encode`; `all` is what the result at `index` is one of. */
export function encodeTxResult({ height, index, tx }: Omit<TxResult, 'result'>, all: EncodedResults): Uint8Array {
  const { field, starts } = all
  const result = field.subarray(starts[index] as number, (starts[index + 1] as number) - 1)
  const place = new Uint8Array(2 * VARINT + 2)
  let at = varintField(place, 0, { number: 1, value: height })
  at = varintField(place, at, { number: 2, value: index })
  const txLength = tx.length === 0 ? 0 : 1 + varintSize(tx.length) + tx.length
  const bytes = new Uint8Array(at + txLength + 1 + result.length)
  bytes.set(place.subarray(0, at))
  if (tx.length > 0) {
    bytes[at] = (3 << 3) | 2
    at = writeVarint(bytes, at + 1, tx.length)
    bytes.set(tx, at)
    at += tx.length
  }
  bytes[at] = RESULT_TAG
  bytes.set(result, at + 1)
  return bytes
}

/** Bytes of a safe integer at most. */
const VARINT = 8

function varintField(target: Uint8Array, at: number, { number, value }: { number: number; value: number }): number {
  if (value === 0) return at
  target[at] = number << 3
  return writeVarint(target, at + 1, value)
}

function writeVarint(target: Uint8Array, start: number, value: number): number {
  let at = start
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) target[at++] = (rest % 0x80) | 0x80
  target[at++] = rest
  return at
}

function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++
  return size
}
