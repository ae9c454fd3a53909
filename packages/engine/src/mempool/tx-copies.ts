import { createSlabs } from '@org/types/bytes'

/**
 * The maximum length of a buffer that stays in memory for a transaction of less than half its length. A received
 * transaction is a part of a buffer that contains the whole message. Without a copy of the transaction, the pool would
 * keep this buffer in memory.
 */
const MAX_KEPT_BUFFER = 16 * 1024

/**
 * Returns a function that copies a transaction if its buffer is much longer than the transaction. Otherwise the
 * function returns the transaction itself. Short copies share a buffer, because a separate buffer costs several times
 * more time than the copying.
 */
export function createTxCopies(): (tx: Uint8Array) => Uint8Array {
  const bufferOf = createSlabs(MAX_KEPT_BUFFER)
  return (tx) => {
    const { byteLength } = tx.buffer
    if (byteLength <= MAX_KEPT_BUFFER || byteLength <= tx.length * 2) return tx
    const copy = bufferOf(tx.length)
    copy.set(tx)
    return copy
  }
}
