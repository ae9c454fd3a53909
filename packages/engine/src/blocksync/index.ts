export type { SyncProgress } from './catch-up.ts'
export { BLOCKSYNC_CHANNEL, type BlockSyncOptions, DEFAULT_BLOCKSYNC_OPTIONS } from './options.ts'
export { type BlockSync, type BlockSyncModules, createBlockSync } from './reactor.ts'
