/** The rules and the limits of searches, and of pruning, in the index. */
export interface IndexerOptions {
  /**
   * True: queries are read as the reference reads them, with its peculiarities (it ignores some conditions, and cuts
   * values at a slash). False: every condition counts as it is written. Default true.
   */
  readonly referenceQueries: boolean
  /**
   * Pruning begins only when at least this many heights can be removed, because each pruning reads the keys of all
   * block events. Default 100.
   */
  readonly pruneInterval: number
  /** The maximum number of keys that one search may read; 0 means no limit. Default 5,000,000. */
  readonly scanBudget: number
  /** The maximum duration of one search in milliseconds; 0 means no limit. Default 10,000. */
  readonly deadlineMs: number
  /**
   * The maximum number of bytes of the results of earlier searches that are kept in memory. A result takes 8 bytes per
   * hit, and is kept until a block changes it. Default 16 MiB.
   */
  readonly hitCacheBytes: number
  /**
   * The number of records that one search may read to find the positions (height and index) of its hits. If a search
   * needs more records, it first makes the list of all transactions that were committed more than once: with this
   * list, it needs fewer records. Default 2,048.
   */
  readonly directReads: number
}

/** The default options of the index of transactions and blocks. */
export const DEFAULT_INDEXER_OPTIONS: IndexerOptions = {
  referenceQueries: true,
  pruneInterval: 100,
  scanBudget: 5_000_000,
  deadlineMs: 10_000,
  hitCacheBytes: 16 << 20,
  directReads: 2048,
}

/** The limits of one search, and the choice whether its query is read as the reference reads it. */
export type SearchLimits = Partial<Pick<IndexerOptions, 'scanBudget' | 'deadlineMs' | 'referenceQueries'>>

/**
 * The limits for a node that must answer every search that the reference answers, even if the search takes very long.
 */
export const UNLIMITED_SEARCH: SearchLimits = { scanBudget: 0, deadlineMs: 0 }
