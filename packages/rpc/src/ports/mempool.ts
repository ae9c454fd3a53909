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
   * Gives a transaction to the mempool. Returns the application's answer, or a promise of this answer. An application
   * that refuses the transaction also answers. If the mempool itself refuses the transaction, for example because the
   * mempool is full, throws or rejects with a CodedError. The client receives the message of this error.
   */
  readonly checkTx: (tx: Uint8Array, options?: SubmitOptions) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** The first `count` transactions, oldest first; all if `count` is negative. */
  readonly reapMaxTxs: (count: number) => readonly Uint8Array[]
  readonly size: () => number
  readonly sizeBytes: () => number
  /** Removes every transaction from the mempool, and empties its cache. */
  readonly flush: () => void
}
