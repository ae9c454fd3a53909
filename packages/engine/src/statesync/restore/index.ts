export { RESTORE_ERRORS, RestoreError, type RestoreErrorCode } from './errors.ts'
export { DEFAULT_RESTORE_OPTIONS, type RestoreOptions, type SnapshotPoolOptions } from './options.ts'
export type {
  Restored,
  RestoreModules,
  RestoreProgress,
  RestoringApp,
  SnapshotPeers,
  StateProvider,
} from './ports.ts'
export type { Receipt } from './receipt.ts'
export { createSyncer, type Syncer } from './syncer.ts'
