/** The maximum number of bytes of all batches that run although their clients are gone. */
const MAX_BYTES = 16 << 20
/** The memory, in bytes, that a batch takes besides its request: for its closed connection and for its calls. */
const BATCH_BYTES = 16 << 10

/**
 * Counts the batches whose client disconnected before the last call of the batch. The node still sends the transactions
 * of the remaining calls, as the reference does. The connection of the batch is closed, so the limits of connections do
 * not count the batch.
 */
export interface LeftBatches {
  /**
   * Counts a batch whose request has `requestBytes` bytes. Returns a function that removes the batch from the count.
   * Returns `undefined` if the batch would exceed the limit: then the caller must drop the rest of the batch.
   */
  readonly enter: (requestBytes: number) => (() => void) | undefined
}

export function createLeftBatches(maxBytes = MAX_BYTES): LeftBatches {
  let counted = 0
  return {
    enter: (requestBytes) => {
      const bytes = requestBytes + BATCH_BYTES
      if (counted + bytes > maxBytes) return undefined
      counted += bytes
      return () => {
        counted -= bytes
      }
    },
  }
}
