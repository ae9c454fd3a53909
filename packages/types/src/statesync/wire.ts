import { bool, bytes, field, type Infer, message, oneof, safeUint64, uint32, when } from '../schema/index.ts'

/** A request for the list of snapshots that the application of the peer has. */
export const SnapshotsRequest = message('tendermint.statesync.SnapshotsRequest', {})
export type SnapshotsRequest = Infer<typeof SnapshotsRequest>

/** The answer with one snapshot. A peer sends an answer for each of its snapshots. */
export const SnapshotsResponse = message('tendermint.statesync.SnapshotsResponse', {
  height: field(1, safeUint64),
  format: field(2, uint32),
  chunks: field(3, uint32),
  hash: field(4, bytes),
  metadata: field(5, bytes),
})
export type SnapshotsResponse = Infer<typeof SnapshotsResponse>

/** A request for a chunk of a snapshot. */
export const ChunkRequest = message('tendermint.statesync.ChunkRequest', {
  height: field(1, safeUint64),
  format: field(2, uint32),
  index: field(3, uint32),
})
export type ChunkRequest = Infer<typeof ChunkRequest>

/** The answer with a chunk, or with the information that the peer does not have it. */
export const ChunkResponse = message('tendermint.statesync.ChunkResponse', {
  height: field(1, safeUint64),
  format: field(2, uint32),
  index: field(3, uint32),
  chunk: field(4, bytes),
  missing: field(5, bool),
})
export type ChunkResponse = Infer<typeof ChunkResponse>

/** A message of the snapshot (0x60) and chunk (0x61) channels. */
export const StateSyncMessage = message('tendermint.statesync.Message', {
  sum: oneof({
    snapshotsRequest: when(1, SnapshotsRequest),
    snapshotsResponse: when(2, SnapshotsResponse),
    chunkRequest: when(3, ChunkRequest),
    chunkResponse: when(4, ChunkResponse),
  }),
})
export type StateSyncMessage = Infer<typeof StateSyncMessage>
