export { STATESYNC_CHANNELS } from './options.ts'
export { createStateSync, type StateSyncModules } from './reactor.ts'
