import type { ResponseCheckTx } from '@org/types/abci'

/** The options of {@link Mempool.checkTx}. */
export interface SubmitOptions {
  /** Called when the transaction has passed the mempool's own checks and goes to the application. */
  readonly onSubmitted?: () => void
  /** The transaction's SHA-256, if the caller has it, so that it is not computed again. */
  readonly hash?: Uint8Array
}

/** Transactions that wait for a block. */
export interface Mempool {
  /**
   * Gives a transaction to the mempool. Returns the response of the application to CheckTx, or a promise of this
   * response, even if the application refuses the transaction. If the mempool itself refuses the transaction, for
   * example because the mempool is full, this method throws or rejects with a CodedError. The client receives the
   * message of this error.
   */
  readonly checkTx: (tx: Uint8Array, options?: SubmitOptions) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** The first `count` transactions, oldest first; all if `count` is negative. */
  readonly reapMaxTxs: (count: number) => readonly Uint8Array[]
  readonly size: () => number
  readonly sizeBytes: () => number
  /** Removes every transaction from the mempool, and empties its cache. */
  readonly flush: () => void
}
