/** The maximum number of bytes of all batches that run although their clients are gone. */
const MAX_BYTES = 16 << 20
/** The memory of a batch in addition to its request, in bytes: its connection, which is closed, and its calls. */
const BATCH_BYTES = 16 << 10

/**
 * Counts the batches whose clients disconnected before the last call. The transactions in the rest of such a batch are
 * still sent, as in the reference. The connection of the batch is closed, so the limits of connections do not count it.
 */
export interface LeftBatches {
  /**
   * Counts a batch whose request has this number of bytes. Returns the function that ends the count; `undefined` if the
   * counted batches have too many bytes already, and the rest of this batch must be dropped.
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
