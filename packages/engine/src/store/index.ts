export type { PruneResult } from './block-pruning.ts'
export { type BlockStore, createBlockStore, type NewBlock, type PruneState } from './block-store.ts'
export { STORE_ERRORS, StoreError, type StoreErrorCode } from './errors.ts'
export {
  type Batch,
  createMemoryStore,
  del,
  type Entry,
  type KeyRange,
  type KeyValueStore,
  type LevelStoreOptions,
  type Op,
  openLevelStore,
  prefixRange,
  put,
} from './kv/index.ts'
export {
  BLOCK_STORE_DEFAULTS,
  type BlockStoreOptions,
  DB_NAMES,
  STATE_STORE_DEFAULTS,
  type StateStoreOptions,
} from './options.ts'
export { createStateStore, type StateStore } from './state-store.ts'
export { decodeVarint, encodeVarint } from './varint.ts'
