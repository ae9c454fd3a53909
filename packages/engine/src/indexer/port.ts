import type { ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import type { Block } from '@org/types/block'
import type { Query } from '../events/query/index.ts'

export interface SearchOptions {
  readonly query: string | Query
  readonly order: 'asc' | 'desc'
  readonly signal?: AbortSignal
  /** Overrides the indexer's own choice. */
  readonly referenceQueries?: boolean
}

/** What a search found, in the order asked for. Nothing is decoded before its page is asked for. */
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
  /** Also of one that is being written. */
  readonly hasBlock: (height: number) => boolean
  /**
   * Resolves when no block is being written. Rejects with `INDEX_UNWRITTEN` if the last one could not be: who was told of it must not
   * hear that there is no such transaction. All that is asked for below waits for that first, but a transaction that is there already.
   */
  readonly written: () => Promise<void>
  /** Forgets everything below a height, a number of heights at a time. */
  readonly prune: (retainHeight: number) => Promise<void>
  /** Another number whenever a search of transactions may find something else. */
  readonly generation: () => number
  /** `undefined` if there is none. Throws {@link IndexError} on an empty hash. */
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  /** Transactions by height and index. Throws `QueryError` and {@link IndexError}. */
  readonly txs: (options: SearchOptions) => Promise<Hits<TxResult>>
  /** Heights of blocks. */
  readonly blocks: (options: SearchOptions) => Promise<Hits<number>>
}
