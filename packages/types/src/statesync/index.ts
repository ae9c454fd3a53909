export { ChunkRequest, ChunkResponse, Message, SnapshotsRequest, SnapshotsResponse } from './wire.ts'
