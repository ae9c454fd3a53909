export { INDEX_ERRORS, IndexError, type IndexErrorCode } from './errors.ts'
export { createIndexer, type Hits, type Indexer, type IndexerModules, type SearchOptions } from './indexer.ts'
export { createNullIndexer } from './null-indexer.ts'
export { INDEXER_DEFAULTS, type IndexerOptions, type SearchLimits, UNLIMITED_SEARCH } from './options.ts'
