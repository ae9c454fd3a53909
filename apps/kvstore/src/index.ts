export { KVSTORE_ERRORS, KvStoreError, type KvStoreErrorCode } from './errors.ts'
export { createKvStore, type KvStore } from './kvstore.ts'
export { type OpenOptions, openKvStore } from './open.ts'
export type { KvStoreOptions } from './options.ts'
export { DEFAULT_RULES, isRulesName, RULES, type RulesName } from './rules/index.ts'
export type { SnapshotArchive, SnapshotOptions, SnapshotWriter } from './snapshots/index.ts'
export {
  createMemoryStorage,
  type KeyValueStorage,
  openLevelStorage,
  type Replacement,
  type StorageOp,
} from './store/index.ts'
