export { RECOVERY_ERRORS, RecoveryError, type RecoveryErrorCode } from './errors.ts'
export { type HeightRange, type ReindexModules, type ReindexOptions, reindex, reindexRange } from './reindex.ts'
export { type RollbackModules, type RolledBack, rollback } from './rollback.ts'
