export {
  type App,
  type AppOptions,
  type BlockInfo,
  type Context,
  createApp,
  type MessageHandler,
  message,
  type QueryContext,
  type QueryHandler,
  query,
} from './application/index.ts'
export { APP_ERRORS, AppError, type AppErrorCode, CODESPACE, Refusal, refuse, TX_CODES } from './errors.ts'
export type { SnapshotOptions } from './snapshots/index.ts'
export {
  createTable,
  integers,
  json,
  type Key,
  type KeyRange,
  type Pair,
  type ReadState,
  type State,
  type Table,
  type TableRange,
  type ValueCodec,
} from './state/index.ts'
export { createMemoryStorage } from './storage/memory.ts'
export type { Storage, StorageOp } from './storage/port.ts'
export {
  type Account,
  accountOf,
  createAccount,
  encodeTransaction,
  type InputOf,
  type OutputOf,
  type SchemaIssue,
  type SchemaResult,
  type SignedContent,
  type StandardSchema,
  type TransactionContent,
} from './transaction/index.ts'
