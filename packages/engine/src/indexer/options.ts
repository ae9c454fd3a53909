export interface IndexerOptions {
  /**
   * Read queries as the reference does, with its peculiarities (conditions that are ignored, values that are cut at a
   * slash), or as they are written. Default true.
   */
  readonly referenceQueries: boolean
  /**
   * The number of heights that must be removable before pruning starts: each pruning reads the keys of all block
   * events. Default 100.
   */
  readonly pruneInterval: number
  /** The maximum number of keys that one search looks at; 0 is no limit. Default 5,000,000. */
  readonly scanBudget: number
  /** The maximum time of one search in milliseconds; 0 is no limit. Default 10,000. */
  readonly deadlineMs: number
  /**
   * The maximum number of bytes of hits (8 bytes each) that are kept of finished searches until a block changes the
   * result. Default 16 MiB.
   */
  readonly hitCacheBytes: number
  /**
   * The number of records that one search may read. A search that needs more first makes the list of all re-committed
   * transactions. Default 2,048.
   */
  readonly directReads: number
}

export const DEFAULT_INDEXER_OPTIONS: IndexerOptions = {
  referenceQueries: true,
  pruneInterval: 100,
  scanBudget: 5_000_000,
  deadlineMs: 10_000,
  hitCacheBytes: 16 << 20,
  directReads: 2048,
}

/** The limits of one search, and how its query is read. */
export type SearchLimits = Partial<Pick<IndexerOptions, 'scanBudget' | 'deadlineMs' | 'referenceQueries'>>

/** The limits of a node that must answer everything that the reference answers, however long it takes. */
export const UNLIMITED_SEARCH: SearchLimits = { scanBudget: 0, deadlineMs: 0 }
