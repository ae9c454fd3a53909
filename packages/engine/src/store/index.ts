export { type BlockStore, createBlockStore, type NewBlock } from './block-store.ts'
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
export type { BackfilledRange, OldHeader } from './old-headers.ts'
export type { ValidatorsOfHeight } from './old-validators.ts'
export { type BlockStoreOptions, DB_NAMES, type StateStoreOptions } from './options.ts'
export { createStateStore, type StateStore } from './state-store.ts'
export { decodeVarint, encodeVarint } from './varint.ts'
