import type { Sizes } from '@org/runtime'
import type { ExecTxResult, RequestCheckTx, ResponseCheckTx } from '@org/types/abci'
import type { EntryCursor } from './entry-list.ts'
import type { PostCheck, PreCheck } from './tx-checks.ts'

/**
 * The methods of the connection to the application that the mempool needs. Answers come in the order of the requests.
 * An application in this process may return its answer without a promise, or throw an error.
 */
export interface MempoolApp {
  readonly checkTx: (request: RequestCheckTx) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** Resolves after all earlier requests were answered. */
  readonly flush: () => Promise<unknown>
  readonly onError: (listener: (error: Error) => void, signal?: AbortSignal) => void
}

export interface TxOrigin {
  /**
   * The number of the peer that sent the transaction, 1 to 65535. Without this number, or with 0, the transaction came
   * from a client.
   */
  readonly senderId?: number
  /** The transaction's SHA-256, if the caller has it. */
  readonly hash?: Uint8Array
  /** Called when the mempool has passed the transaction to the application, after the mempool's own checks. */
  readonly onSubmitted?: () => void
}

export interface MempoolUpdate {
  readonly height: number
  readonly txs: readonly Uint8Array[]
  readonly txResults: readonly ExecTxResult[]
  /**
   * `preCheck` and `postCheck` replace the checks that the mempool uses now. A check that is `undefined` replaces
   * nothing.
   */
  readonly preCheck?: PreCheck
  readonly postCheck?: PostCheck
}

/** The interface for transactions that clients send. */
export interface TxIntake {
  /**
   * Asks the application about the transaction, and adds it to the mempool if the application accepts it. Resolves with
   * the application's answer, even if the answer is a refusal. Rejects with a `MempoolError` if the application was not
   * asked, for example because the mempool is full, or because the transaction is too large or was seen before. Rejects
   * with a `MempoolError` too if the application failed.
   */
  readonly checkTx: (tx: Uint8Array, origin?: TxOrigin) => Promise<ResponseCheckTx>
  /**
   * Does the same as `checkTx`. But if the application answers without a promise, this method also returns the answer,
   * or throws the error, without a promise.
   */
  readonly checkTxNow: (tx: Uint8Array, origin?: TxOrigin) => ResponseCheckTx | Promise<ResponseCheckTx>
}

/** The interface for exchanging transactions with peers. */
export interface TxExchange {
  /**
   * Does the same as `checkTxNow` for a transaction from a peer. Returns `undefined` for a transaction that was seen
   * before.
   */
  readonly offerTx: (
    tx: Uint8Array,
    origin?: TxOrigin,
  ) => ResponseCheckTx | undefined | Promise<ResponseCheckTx | undefined>
  /** Returns a cursor over the entries. The gossip uses one cursor for each peer. */
  readonly entries: () => EntryCursor
  /** Calls `listener` after each new entry of the mempool, until the signal aborts. */
  readonly onEntry: (listener: () => void, signal?: AbortSignal) => void
}

/**
 * The interface for making and committing blocks. It returns transactions for a proposed block, and removes the
 * transactions of a committed block.
 */
export interface BlockTxs {
  /**
   * Resolves with the oldest transactions that together take at most `maxBytes` bytes in a block and want at most
   * `maxGas` gas; -1 means no limit. If a recheck is running, waits for its end, up to the recheck's timeout.
   */
  readonly reapMaxBytesMaxGas: (maxBytes: number, maxGas: bigint) => Promise<Uint8Array[]>
  /** Takes the lock. New transactions and reaping wait until the returned function is called. */
  readonly lock: () => Promise<() => void>
  /**
   * Must be called after a commit, while the lock is held. Removes the transactions of the block, and, with the option
   * `recheck`, asks the application about all other transactions again. Resolves when all these requests were sent.
   */
  readonly update: (update: MempoolUpdate) => Promise<void>
  /** Must be called while the lock is held. Resolves when the application has answered all checks. */
  readonly flushAppConn: () => Promise<void>
}

/** The port that reports when there are transactions for a block. */
export interface TxAvailability {
  /** Switches the reports on. Before this call, no listener of `txsAvailable` is called. */
  readonly enableTxsAvailable: () => void
  /** Calls `listener` when the mempool has a transaction, at most once per height, until the signal aborts. */
  readonly txsAvailable: (listener: () => void, signal?: AbortSignal) => void
}

/** The port that shows the transactions of the mempool. */
export interface TxView {
  /**
   * Returns the `max + 1` oldest transactions, because the reference also returns one more than requested. Returns all
   * if `max` is negative.
   */
  readonly reapMaxTxs: (max: number) => Uint8Array[]
  readonly size: () => number
  readonly sizeBytes: () => number
}

/** The port for removing transactions, and for refusing new transactions while the node is short of memory. */
export interface TxMemoryControl {
  /** Removes all transactions, and empties the cache of the transactions that were seen. */
  readonly flush: () => void
  /**
   * Removes the transaction with this SHA-256 from the mempool and from the cache of the transactions that were seen,
   * so that it can be added again. Returns the transaction; `undefined` if it is not in the mempool.
   */
  readonly remove: (hash: Uint8Array) => Uint8Array | undefined
  /**
   * Sets whether the node is short of memory. While the node is short of memory, the mempool refuses new transactions
   * with `MEMPOOL_SHORT_OF_MEMORY`.
   */
  readonly setShortOfMemory: (isShort: boolean) => void
}

/**
 * The transactions that wait for a block, in order of arrival. This type has all ports of the mempool. Every part of
 * the node that uses the mempool gets only the ports that it needs.
 */
export interface Mempool extends TxIntake, TxExchange, BlockTxs, TxAvailability, TxView, TxMemoryControl {
  readonly sizes: () => Sizes
}
