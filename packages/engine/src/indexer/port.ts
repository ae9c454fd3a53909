import type { ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import type { Block } from '@org/types/block'
import type { Query } from '../events/query/index.ts'

export interface SearchOptions {
  readonly query: string | Query
  readonly order: 'asc' | 'desc'
  readonly signal?: AbortSignal
  /** Overrides the option `referenceQueries` of the indexer for this search. */
  readonly referenceQueries?: boolean
}

/** The result of a search, in the requested order. A record is decoded only when its page is requested. */
export interface Hits<T> {
  readonly total: number
  readonly page: (skip: number, count: number) => Promise<readonly T[]>
}

/** The index of transactions and blocks. */
export interface Indexer {
  /** False if the index is off (`tx_index.indexer = "null"`). */
  readonly enabled: boolean
  /** Indexes a block and its transactions as one synced batch. Doing it again replaces what was there. */
  readonly index: (block: Block, response: ResponseFinalizeBlock) => Promise<void>
  /** True also while the block is being written. */
  readonly hasBlock: (height: number) => boolean
  /**
   * Resolves when no block is being written. Rejects with `INDEX_UNWRITTEN` if the last write failed: a client that
   * received the block's events must not receive the answer that the transaction does not exist. Every method below
   * waits for this, except a look-up of a transaction that is already stored.
   */
  readonly written: () => Promise<void>
  /** Removes everything below a height, in steps of several heights. */
  readonly prune: (retainHeight: number) => Promise<void>
  /** A number that changes when the result of a search for transactions may have changed. */
  readonly generation: () => number
  /** Returns `undefined` if the transaction is not indexed. Throws {@link IndexError} on an empty hash. */
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  /** Transactions by height and index. Throws `QueryError` and {@link IndexError}. */
  readonly txs: (options: SearchOptions) => Promise<Hits<TxResult>>
  /** Heights of blocks. Throws as `txs` does. */
  readonly blocks: (options: SearchOptions) => Promise<Hits<number>>
}
