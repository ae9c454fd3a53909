import type { Sizes } from '@org/runtime'
import type { ExecTxResult, RequestCheckTx, ResponseCheckTx } from '@org/types/abci'
import type { EntryCursor } from './entry-list.ts'
import type { PostCheck, PreCheck } from './tx-checks.ts'

/**
 * The part of the application's mempool connection that the mempool needs. Answers come in the order of the requests.
 * An application in this process may return an answer, or throw, at once.
 */
export interface MempoolApp {
  readonly checkTx: (request: RequestCheckTx) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** Resolves after all earlier requests were answered. */
  readonly flush: () => Promise<unknown>
  readonly onError: (listener: (error: Error) => void, signal?: AbortSignal) => void
}

export interface TxOrigin {
  /** The number of the peer that sent it, 1 to 65535; 0 or absent means no peer. */
  readonly senderId?: number
  /** The transaction's SHA-256, if the caller has it. */
  readonly hash?: Uint8Array
  /** Called when the application is asked: the pool itself does not refuse the transaction. */
  readonly onSubmitted?: () => void
}

export interface MempoolUpdate {
  readonly height: number
  readonly txs: readonly Uint8Array[]
  readonly txResults: readonly ExecTxResult[]
  /** The checks that replace those used so far. */
  readonly preCheck?: PreCheck
  readonly postCheck?: PostCheck
}

/** Takes transactions of clients. */
export interface TxIntake {
  /**
   * Asks the application, and adds the transaction if it is accepted. Resolves with the application's answer, also a
   * refusal. Rejects with a `MempoolError` if the application was not asked: no room, too large, seen before.
   */
  readonly checkTx: (tx: Uint8Array, origin?: TxOrigin) => Promise<ResponseCheckTx>
  /**
   * Does as `checkTx`, but without a promise if the application answers at once: returns the answer, or throws the
   * refusal.
   */
  readonly checkTxNow: (tx: Uint8Array, origin?: TxOrigin) => ResponseCheckTx | Promise<ResponseCheckTx>
}

/** Exchanges transactions with peers. */
export interface TxExchange {
  /** Does as `checkTxNow` for transactions from peers. Returns `undefined` for a transaction that was seen before. */
  readonly offerTx: (
    tx: Uint8Array,
    origin?: TxOrigin,
  ) => ResponseCheckTx | undefined | Promise<ResponseCheckTx | undefined>
  /** A cursor over the entries, for gossip to one peer. */
  readonly entries: () => EntryCursor
  /** Calls `listener` after each new entry, until the signal aborts. */
  readonly onEntry: (listener: () => void, signal?: AbortSignal) => void
}

/** Gives transactions to the blocks that this node proposes, and removes the committed ones. */
export interface BlockTxs {
  /**
   * The oldest transactions that together fit `maxBytes` (in the block's encoding) and `maxGas`; -1 is no limit.
   * Waits for a recheck in progress, up to its timeout.
   */
  readonly reapMaxBytesMaxGas: (maxBytes: number, maxGas: bigint) => Promise<Uint8Array[]>
  /** Stops checks and reaping until the returned function is called. */
  readonly lock: () => Promise<() => void>
  /**
   * After a commit, with the lock held: removes the committed transactions and rechecks the others. Resolves when all
   * rechecks were sent.
   */
  readonly update: (update: MempoolUpdate) => Promise<void>
  /** With the lock held: resolves when the application has answered all checks. */
  readonly flushAppConn: () => Promise<void>
}

/** Reports that there are transactions for a block. */
export interface TxAvailability {
  /** Enables the listeners of `txsAvailable`, which are not called before. */
  readonly enableTxsAvailable: () => void
  /** Calls `listener` at most once per height, when there is a transaction, until the signal aborts. */
  readonly txsAvailable: (listener: () => void, signal?: AbortSignal) => void
}

/** Shows the transactions that wait. */
export interface TxView {
  /** The `max + 1` oldest transactions (the reference gives one more than asked for); all if `max` is negative. */
  readonly reapMaxTxs: (max: number) => Uint8Array[]
  readonly size: () => number
  readonly sizeBytes: () => number
}

/** Frees the memory of the mempool. */
export interface TxRelief {
  /** Removes all transactions, and empties the cache of seen transactions. */
  readonly flush: () => void
  /**
   * Removes a transaction by its SHA-256, also from the cache of seen transactions, so that it can come again. Returns
   * the transaction; `undefined` if it is not in the mempool.
   */
  readonly remove: (hash: Uint8Array) => Uint8Array | undefined
  /**
   * Sets whether the node is short of memory. While it is, new transactions are refused with
   * `MEMPOOL_SHORT_OF_MEMORY`.
   */
  readonly setShortOfMemory: (isShort: boolean) => void
}

/**
 * Transactions that wait for a block, in order of arrival. The program that creates it gives each other part of the node
 * only the port that the part needs.
 */
export interface Mempool extends TxIntake, TxExchange, BlockTxs, TxAvailability, TxView, TxRelief {
  readonly sizes: () => Sizes
}
