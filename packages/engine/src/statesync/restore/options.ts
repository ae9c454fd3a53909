/** Times are in milliseconds, sizes in bytes. */
export interface RestoreOptions {
  /**
   * The time to collect snapshots from peers before the first one is chosen, and between two attempts when no snapshot
   * is left. It is shorter if all named peers have answered: see `waitForSnapshots`. 0: no waiting; without a snapshot,
   * state sync fails.
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
   * The lowest average rate of chunks, in bytes per second. A slower snapshot is given up, after `chunkWaitMs` of
   * waiting.
   */
  readonly minChunkRate: number
  /** The waiting time that each chunk allows besides its bytes, so that small chunks may come slowly. */
  readonly msPerChunk: number
  /** The time in which the state provider must prove one height. */
  readonly proofMs: number
  /** The number of attempts to restore a snapshot whose height the state provider could not prove. */
  readonly maxProofAttempts: number
  readonly maxChunkBytes: number
  /**
   * The maximum number of bytes of chunks on the disk, except the next chunk to apply. Applied chunks are removed
   * first.
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
