export { BLOCKSYNC_CHANNEL, type BlockSyncOptions, DEFAULT_BLOCKSYNC_OPTIONS } from './options.ts'
export { type BlockSync, type BlockSyncModules, createBlockSync } from './reactor.ts'
export type { SyncProgress } from './sync-run.ts'
