import type { Block } from '@org/types'
import type { ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import type { Query } from '../events/query/index.ts'

/** A search in the index: its query, the order of its hits, and the signal that ends the search. */
export interface SearchOptions {
  readonly query: string | Query
  readonly order: 'asc' | 'desc'
  readonly signal?: AbortSignal
  /** Overrides the option `referenceQueries` of the indexer for this search. */
  readonly referenceQueries?: boolean
}

/** The hits of a search, in the requested order. Only the records of a requested page are decoded. */
export interface Hits<T> {
  readonly total: number
  readonly page: (skip: number, count: number) => Promise<readonly T[]>
}

/** The index of transactions and blocks. */
export interface Indexer {
  /** False if the index is off (`tx_index.indexer = "null"`). */
  readonly enabled: boolean
  /**
   * Indexes a block and its transactions, as one synced batch. If the block was indexed before, its entries are
   * replaced.
   */
  readonly index: (block: Block, response: ResponseFinalizeBlock) => Promise<void>
  /** Returns true if the block is indexed, or is being written to the index. */
  readonly hasBlock: (height: number) => boolean
  /**
   * Resolves when no block is being written to the index. Rejects with `INDEX_UNWRITTEN` if the last write failed.
   * `tx`, `txs` and `blocks` wait for this promise, because a client may already have received the events of the block
   * that is being written. The client must then find the transactions of this block. But `tx` returns a stored
   * transaction without waiting, unless the block that is being written contains the transaction again.
   */
  readonly written: () => Promise<void>
  /**
   * Removes the entries of all blocks below a height. Does nothing if fewer than `pruneInterval` heights can be
   * removed.
   */
  readonly prune: (retainHeight: number) => Promise<void>
  /** A number that changes when the result of a search for transactions may have changed. */
  readonly generation: () => number
  /**
   * Returns the transaction with this hash; `undefined` if it is not indexed. Throws {@link IndexError} if the hash is
   * empty.
   */
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  /** Finds transactions, ordered by height and index. Throws `QueryError` and {@link IndexError}. */
  readonly txs: (options: SearchOptions) => Promise<Hits<TxResult>>
  /** Finds the heights of blocks. Throws the same errors as `txs`. */
  readonly blocks: (options: SearchOptions) => Promise<Hits<number>>
}
