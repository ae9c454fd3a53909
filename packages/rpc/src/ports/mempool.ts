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
   * Gives a transaction to the mempool. Returns the application's answer, or a promise of it, even if the application
   * refuses the transaction. Throws or rejects with a CodedError if the mempool itself refuses the transaction, for
   * example because the mempool is full or has the transaction already. The client receives the error's message.
   */
  readonly checkTx: (tx: Uint8Array, options?: SubmitOptions) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** The first `count` transactions, oldest first; all if `count` is negative. */
  readonly reapMaxTxs: (count: number) => readonly Uint8Array[]
  readonly size: () => number
  readonly sizeBytes: () => number
  /** Removes every transaction from the mempool, and empties its cache. */
  readonly flush: () => void
}
