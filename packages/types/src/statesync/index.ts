export { ChunkRequest, ChunkResponse, SnapshotsRequest, SnapshotsResponse, StateSyncMessage } from './wire.ts'
