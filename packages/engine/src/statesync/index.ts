export { STATESYNC_CHANNELS } from './options.ts'
export { chunkRequest, createStateSync, type Joining, SNAPSHOTS_REQUEST, type StateSyncModules } from './reactor.ts'
