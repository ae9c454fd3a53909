import type { ResponseCheckTx } from '@org/types/abci'

export interface SubmitOptions {
  /** Called once the transaction has passed the mempool's own checks and is on its way to the application. */
  readonly onSubmitted?: () => void
  /** The transaction's SHA-256, so that nobody computes it twice. */
  readonly hash?: Uint8Array
}

/** Transactions that wait for a block. */
export interface Mempool {
  /**
   * Gives a transaction to the pool; gives, or resolves with, the application's answer, also when that is a refusal. Throws or
   * rejects with a CodedError, message as shown to the client, when the pool does not take it: full, too large, already in the
   * cache.
   */
  readonly checkTx: (tx: Uint8Array, options?: SubmitOptions) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** The first `count` transactions, oldest first; all if `count` is negative. */
  readonly reapMaxTxs: (count: number) => readonly Uint8Array[]
  readonly size: () => number
  readonly sizeBytes: () => number
  /** Removes every transaction and empties the cache. */
  readonly flush: () => void
}
