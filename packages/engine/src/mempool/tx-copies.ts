/**
 * The maximum length of a buffer that the pool keeps for a transaction that needs less than half of it. A transaction
 * is a part of a buffer that contains the whole message, so the pool would otherwise keep the whole message in memory.
 */
const MAX_KEPT_BUFFER = 16 * 1024

/**
 * The maximum length of a transaction that is copied into a shared buffer. A buffer of its own costs several times more
 * time than the copying of a short transaction.
 */
const MAX_SHARED_TX = MAX_KEPT_BUFFER / 4

/**
 * Returns a function that copies a transaction if its buffer is much longer than the transaction. Otherwise the
 * function returns the transaction itself. Short copies share a buffer of at most {@link MAX_KEPT_BUFFER} bytes.
 */
export function createTxCopies(): (tx: Uint8Array) => Uint8Array {
  let shared = new Uint8Array(0)
  let used = 0
  return (tx) => {
    const { byteLength } = tx.buffer
    if (byteLength <= MAX_KEPT_BUFFER || byteLength <= tx.length * 2) return tx
    if (tx.length > MAX_SHARED_TX) return new Uint8Array(tx)
    if (used + tx.length > shared.length) {
      shared = new Uint8Array(MAX_KEPT_BUFFER)
      used = 0
    }
    const copy = shared.subarray(used, used + tx.length)
    copy.set(tx)
    used += tx.length
    return copy
  }
}
