import { Cursor, SCHEMA_ERRORS, SchemaError } from '@org/types/schema'
import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'

/**
 * The field number of the list of transactions in a message. Each transaction in the list has the same field number.
 */
const FIELD = 1
const TAG = (FIELD << 3) | 2

/**
 * The transactions of a message in which all sizes were checked. The transactions are not copied out of the message.
 */
export interface TxsMessage {
  readonly count: number
  /** Yields each transaction as a view of the message's bytes. A view is made only when it is needed. */
  readonly txs: () => Generator<Uint8Array, void, undefined>
}

interface Limits {
  /** The maximum number of bytes of one transaction; 0 means no limit. */
  readonly maxTxBytes: number
  readonly maxBatchBytes: number
}

/**
 * Checks a peer's mempool message without decoding it. No transaction may be empty or longer than `maxTxBytes`. All
 * transactions together may be as long as the larger of `maxTxBytes` and `maxBatchBytes`. Throws a `MempoolError` or
 * `SchemaError`.
 */
export function openTxsMessage(bytes: Uint8Array, limits: Limits): TxsMessage {
  const judge = createJudge(limits)
  const cursor = new Cursor(bytes)
  let list = { start: 0, end: 0, count: 0 }
  while (nextField(cursor)) {
    const length = cursor.length()
    const [start, end] = [cursor.pos, cursor.pos + length]
    // The encoding allows several lists in a message. As in the reference, all must be valid and the last one is used.
    list = { start, end, count: judgeList(within(bytes, start, end), judge) }
    cursor.pos = end
  }
  if (list.count === 0) throw refuse('mempool message contains no transactions')
  return { count: list.count, txs: () => views(bytes, list.start, list.end) }
}

/** Returns a function that checks the length of each transaction, and the sum of all lengths. */
function createJudge({ maxTxBytes, maxBatchBytes }: Limits): (length: number) => void {
  const budget = Math.max(maxTxBytes, maxBatchBytes)
  let total = 0
  return (length) => {
    if (length === 0) throw refuse('mempool batch contains an empty transaction')
    if (maxTxBytes > 0 && length > maxTxBytes) {
      throw refuse(`transaction size ${length} exceeds max_tx_bytes ${maxTxBytes}`)
    }
    total += length
    if (budget > 0 && total > budget) throw refuse(`mempool batch exceeds ${budget} byte budget`)
  }
}

function judgeList(cursor: Cursor, judge: (length: number) => void): number {
  let count = 0
  while (nextField(cursor)) {
    const length = cursor.length()
    judge(length)
    cursor.pos += length
    count++
  }
  return count
}

function* views(bytes: Uint8Array, start: number, end: number): Generator<Uint8Array, void, undefined> {
  const cursor = within(bytes, start, end)
  while (nextField(cursor)) yield cursor.view()
}

function within(bytes: Uint8Array, start: number, end: number): Cursor {
  const cursor = new Cursor(bytes)
  cursor.pos = start
  cursor.end = end
  return cursor
}

/**
 * Moves the cursor past the tag of the next field with the number {@link FIELD}, and skips all other fields. Returns
 * false if no such field is left.
 */
function nextField(cursor: Cursor): boolean {
  while (cursor.pos < cursor.end) {
    const tag = cursor.tag()
    if (tag === TAG) return true
    if (tag >>> 3 === FIELD) {
      throw new SchemaError(SCHEMA_ERRORS.wireType, `wrong wire type ${tag & 7} for transactions`, {
        data: { offset: cursor.pos },
      })
    }
    cursor.skip(tag)
  }
  return false
}

function refuse(message: string): MempoolError {
  return new MempoolError(MEMPOOL_ERRORS.batch, message)
}
