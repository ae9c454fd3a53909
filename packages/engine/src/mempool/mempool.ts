import type { Sizes } from '@org/runtime'
import type { ExecTxResult, RequestCheckTx, ResponseCheckTx } from '@org/types/abci'
import type { EntryCursor } from './entry-list.ts'
import type { PostCheck, PreCheck } from './tx-checks.ts'

/**
 * What the mempool needs of the application's mempool connection. Answers come in the order of the requests; an application in
 * this process may give them, or throw, at once.
 */
export interface MempoolApp {
  readonly checkTx: (request: RequestCheckTx) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** Resolves after all requests before it were answered. */
  readonly flush: () => Promise<unknown>
  readonly onError: (listener: (error: Error) => void) => unknown
}

export interface TxOrigin {
  /** A number of the peer that sent it, 1 to 65535; 0 or absent is nobody. */
  readonly senderId?: number
  /** The transaction's SHA-256, if it is known already. */
  readonly hash?: Uint8Array
  /** Called when the application is asked: the pool itself does not refuse it. */
  readonly onSubmitted?: () => void
}

export interface MempoolUpdate {
  readonly height: number
  readonly txs: readonly Uint8Array[]
  readonly txResults: readonly ExecTxResult[]
  /** Replace the checks used so far. */
  readonly preCheck?: PreCheck
  readonly postCheck?: PostCheck
}

/** Transactions that wait for a block, in order of arrival. */
export interface Mempool {
  /**
   * Asks the application and takes the transaction if it is good. Resolves with the application's answer, whatever it is.
   * Rejects with a `MempoolError` if it was not asked: no room, too large, seen before.
   */
  readonly checkTx: (tx: Uint8Array, origin?: TxOrigin) => Promise<ResponseCheckTx>
  /** As `checkTx`, without a promise where the application answers at once: gives the answer, or throws the refusal. */
  readonly checkTxNow: (tx: Uint8Array, origin?: TxOrigin) => ResponseCheckTx | Promise<ResponseCheckTx>
  /** As `checkTxNow`, for what peers tell: `undefined` of a transaction that was seen before. */
  readonly offerTx: (
    tx: Uint8Array,
    origin?: TxOrigin,
  ) => ResponseCheckTx | undefined | Promise<ResponseCheckTx | undefined>
  /** As `checkTx`, but resolves once the application is asked, without its answer. */
  readonly submitTx: (tx: Uint8Array, origin?: TxOrigin) => Promise<void>
  /**
   * The oldest transactions that together fit `maxBytes` (in the block's encoding) and `maxGas`; -1 is no limit.
   * Waits for a recheck in progress, up to its timeout.
   */
  readonly reapMaxBytesMaxGas: (maxBytes: number, maxGas: bigint) => Promise<Uint8Array[]>
  /** The `max + 1` oldest transactions (the reference gives one more than asked for); all if `max` is negative. */
  readonly reapMaxTxs: (max: number) => Uint8Array[]
  /** Keeps checks and reaping out until the returned function is called. */
  readonly lock: () => Promise<() => void>
  /** After a commit, with the lock held: removes what was committed and has the rest rechecked. Resolves when all rechecks were sent. */
  readonly update: (update: MempoolUpdate) => Promise<void>
  /** With the lock held: resolves when the application has answered all checks. */
  readonly flushAppConn: () => Promise<void>
  /** Drops all transactions and forgets what was seen. */
  readonly flush: () => void
  /** `hash` is the SHA-256 of the transaction. Throws if it is not there. */
  readonly removeTxByHash: (hash: Uint8Array) => void
  readonly hasTx: (hash: Uint8Array) => boolean
  readonly size: () => number
  readonly sizeBytes: () => number
  /** From here on listeners are told of transactions. */
  readonly enableTxsAvailable: () => void
  /** Calls `listener` at most once a height, when there is a transaction. Returns how to stop it. */
  readonly txsAvailable: (listener: () => void) => () => void
  /** A walk over the entries, for gossip to one peer. */
  readonly entries: () => EntryCursor
  /** Calls `listener` after each new entry. Returns how to stop it. */
  readonly onEntry: (listener: () => void) => () => void
  /** Refuses new transactions with `MEMPOOL_SHORT_OF_MEMORY` from now on, or takes them again. */
  readonly setShortOfMemory: (isShort: boolean) => void
  readonly sizes: () => Sizes
}
