import type { ExecutionIndexer } from '../execution/index.ts'
import { createIndexer, createNullIndexer, type Indexer } from '../indexer/index.ts'
import type { KeyValueStore } from '../store/index.ts'

/** The index over its database; without one, the index that keeps nothing. */
export function openIndex(db: KeyValueStore | undefined): Indexer {
  return db === undefined ? createNullIndexer() : createIndexer({}, { db })
}

/** What the execution of blocks sees of it: it prunes only if that was asked for. */
export function executionIndexer(indexer: Indexer, { prune }: { readonly prune: boolean }): ExecutionIndexer {
  const { enabled, index, hasBlock } = indexer
  return { index, ...(enabled ? { hasBlock } : {}), ...(prune ? { prune: indexer.prune } : {}) }
}
