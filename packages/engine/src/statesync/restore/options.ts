/** Times are in milliseconds, sizes in bytes. */
export interface RestoreOptions {
  /**
   * The time in which snapshots are collected from peers before the first one is chosen, and again each time when no
   * snapshot is left. It may end early: see `waitForSnapshots`. With 0 there is no such time, and state sync fails if
   * no snapshot is left.
   */
  readonly discoveryMs: number
  /** The time after which a chunk is requested from another peer. */
  readonly chunkRequestMs: number
  /** The maximum number of chunks that are requested at the same time. */
  readonly chunkFetchers: number
  /**
   * The number of chunks that may be requested before the application has taken the first one. Each taken chunk lets
   * two more be requested.
   */
  readonly chunksAhead: number
  /** The maximum number of chunks of a snapshot. */
  readonly maxSnapshotChunks: number
  /** The time after which a snapshot is given up because its next chunk has not come. */
  readonly chunkWaitMs: number
  /**
   * The lowest average rate of chunks, in bytes per second. If chunks come more slowly, the snapshot is given up, but
   * not before `chunkWaitMs` of waiting.
   */
  readonly minChunkRate: number
  /**
   * The time that each chunk adds to the waiting time, besides the time for its bytes. So small chunks may come slowly.
   */
  readonly msPerChunk: number
  /** The time in which the state provider must prove one height. */
  readonly proofMs: number
  /** The number of attempts to restore a snapshot whose height the state provider could not prove. */
  readonly maxProofAttempts: number
  readonly maxChunkBytes: number
  /**
   * The maximum number of bytes of chunks on the disk. The next chunk to apply is stored even above this. Applied
   * chunks are removed first.
   */
  readonly maxStoredBytes: number
  readonly pool: SnapshotPoolOptions
}

export interface SnapshotPoolOptions {
  readonly maxPerPeer: number
  /** The memory for the snapshots of one peer, and of all peers together. */
  readonly maxBytesPerPeer: number
  readonly maxBytes: number
  /** The maximum number of entries of each list of rejected snapshots, formats and peers. */
  readonly maxRejected: number
}

export const DEFAULT_RESTORE_OPTIONS: RestoreOptions = {
  discoveryMs: 15_000,
  chunkRequestMs: 10_000,
  chunkFetchers: 4,
  chunksAhead: 16,
  maxSnapshotChunks: 100_000,
  chunkWaitMs: 120_000,
  minChunkRate: 10_000,
  msPerChunk: 200,
  proofMs: 30_000,
  maxProofAttempts: 3,
  maxChunkBytes: 16_000_000,
  maxStoredBytes: 2 * 1024 ** 3,
  pool: { maxPerPeer: 10, maxBytesPerPeer: 8_000_000, maxBytes: 64_000_000, maxRejected: 1000 },
}
