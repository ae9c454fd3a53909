export interface IndexerOptions {
  /**
   * Read queries as the reference does, with its peculiarities (conditions that are ignored, values that are cut at a
   * slash), or as they are written. Default true.
   */
  readonly referenceQueries: boolean
  /** Prune only when so many heights have to go, as it takes a pass over the keys of all block events. Default 100. */
  readonly pruneInterval: number
}

export const INDEXER_DEFAULTS: IndexerOptions = { referenceQueries: true, pruneInterval: 100 }
