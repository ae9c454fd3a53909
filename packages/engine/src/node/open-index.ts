import type { ExecutionIndexer } from '../execution/index.ts'
import { createIndexer, createNullIndexer, type Indexer, type SearchLimits } from '../indexer/index.ts'
import type { KeyValueStore } from '../store/index.ts'

export interface OpenIndexOptions {
  readonly search?: SearchLimits
  readonly pruneInterval?: number
}

/** Creates the index over its database. Without a database, the index stores nothing. */
export function openIndex(db: KeyValueStore | undefined, { search, pruneInterval }: OpenIndexOptions = {}): Indexer {
  const limits = { ...search, ...(pruneInterval === undefined ? {} : { pruneInterval }) }
  return db === undefined ? createNullIndexer() : createIndexer(limits, { db })
}

/**
 * Returns the functions of the index that block execution uses. Block execution can prune the index only if `prune` is
 * true.
 */
export function executionIndexer(indexer: Indexer, { prune }: { readonly prune: boolean }): ExecutionIndexer {
  const { enabled, index, hasBlock } = indexer
  return { index, ...(enabled ? { hasBlock } : {}), ...(prune ? { prune: indexer.prune } : {}) }
}
