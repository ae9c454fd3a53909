import { INDEX_ERRORS, IndexError } from './errors.ts'
import type { Indexer } from './port.ts'

/** The indexer of `tx_index.indexer = "null"`: keeps nothing, and rejects each search with `INDEX_DISABLED`. */
export function createNullIndexer(): Indexer {
  const disabled = (what: string) => async (): Promise<never> => {
    throw new IndexError(INDEX_ERRORS.disabled, `${what} indexing is disabled`)
  }
  return {
    enabled: false,
    index: async () => undefined,
    hasBlock: () => false,
    written: async () => undefined,
    prune: async () => undefined,
    generation: () => 0,
    tx: disabled('transaction'),
    txs: disabled('transaction'),
    blocks: disabled('block'),
  }
}
