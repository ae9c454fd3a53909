import type { ExecutionIndexer } from '../execution/index.ts'
import { createIndexer, createNullIndexer, type Indexer, type SearchLimits } from '../indexer/index.ts'
import type { KeyValueStore } from '../store/index.ts'

export interface OpenIndexOptions {
  readonly search?: SearchLimits
  readonly pruneInterval?: number
}

/** The index over its database; without one, the index that keeps nothing. */
export function openIndex(db: KeyValueStore | undefined, { search, pruneInterval }: OpenIndexOptions = {}): Indexer {
  const limits = { ...search, ...(pruneInterval === undefined ? {} : { pruneInterval }) }
  return db === undefined ? createNullIndexer() : createIndexer(limits, { db })
}

/** What the execution of blocks sees of it: it prunes only if that was asked for. */
export function executionIndexer(indexer: Indexer, { prune }: { readonly prune: boolean }): ExecutionIndexer {
  const { enabled, index, hasBlock } = indexer
  return { index, ...(enabled ? { hasBlock } : {}), ...(prune ? { prune: indexer.prune } : {}) }
}
