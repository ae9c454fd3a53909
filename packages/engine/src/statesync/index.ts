export { STATESYNC_CHANNELS } from './options.ts'
export { chunkRequest, createStateSync, SNAPSHOTS_REQUEST } from './reactor.ts'
