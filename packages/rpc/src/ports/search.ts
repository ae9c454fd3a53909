import type { TxResult } from '@org/types/abci'

/** The order of the results of a search, by height: `asc` from the lowest height, `desc` from the highest. */
export type SortOrder = 'asc' | 'desc'

/** A search: a query in the query language of events, the order of its results, and a signal that ends the search. */
export interface SearchOptions {
  readonly query: string
  readonly order: SortOrder
  readonly signal?: AbortSignal
}

/** The results of a search, in the order that the client requested. Items are decoded only when their page is read. */
export interface Hits<T> {
  readonly total: number
  readonly page: (skip: number, count: number) => Promise<readonly T[]>
}

/** The code of the error for a query that does not parse. */
export const QUERY_SYNTAX = 'QUERY_SYNTAX'

/**
 * Indexes of transactions and blocks. The methods reject with CodedErrors, and the client receives the message of the
 * error. If a query does not parse, the code is {@link QUERY_SYNTAX} and the message is `offset N: …`.
 */
export interface Search {
  /** False if the index is off (`tx_index.indexer = "null"`). */
  readonly enabled: boolean
  /**
   * Returns a number that changes each time when searches for transactions may have new results. Until the number
   * changes, the RPC answers a repeated search from its cache. If this method is missing, the RPC caches no searches.
   */
  readonly generation?: () => number
  /** Resolves with `undefined` if no transaction has this hash. Rejects for an empty hash. */
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  readonly txs: (options: SearchOptions) => Promise<Hits<TxResult>>
  /** Searches for blocks. The results are heights. */
  readonly blocks: (options: SearchOptions) => Promise<Hits<number>>
}
