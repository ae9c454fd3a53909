/** The options of a restore. Times are in milliseconds, and sizes in bytes. */
export interface RestoreOptions {
  /**
   * The time in which the node collects snapshots from peers before it chooses a snapshot. When no snapshot is left,
   * the node collects snapshots for this time again. The time may end early: see `waitForSnapshots`. With 0 the node
   * does not wait for snapshots, and state sync fails if no snapshot is left.
   */
  readonly discoveryMs: number
  /** If a requested chunk does not arrive in this time, it is requested from another peer. */
  readonly chunkRequestMs: number
  /** The maximum number of chunks that are requested and have not arrived. */
  readonly chunkFetchers: number
  /**
   * The number of chunks that may be requested before the application has taken the first one. Each chunk that the
   * application takes allows two more requests.
   */
  readonly chunksAhead: number
  /** The maximum number of chunks that a snapshot may have. */
  readonly maxSnapshotChunks: number
  /** If the next chunk does not arrive in this time, the attempt to restore the snapshot ends. */
  readonly chunkWaitMs: number
  /**
   * The lowest average rate of chunks, in bytes per second. If chunks arrive more slowly, the attempt to restore the
   * snapshot ends, but only after a wait of at least `chunkWaitMs`.
   */
  readonly minChunkRate: number
  /**
   * The node limits the total time for which it waits for chunks. Each chunk that arrives extends this time limit by
   * `msPerChunk` milliseconds, plus the time that the bytes of the chunk take at the rate `minChunkRate`. Because of
   * `msPerChunk`, small chunks may arrive at a lower rate than `minChunkRate`.
   */
  readonly msPerChunk: number
  /**
   * The time limit for one proof. The state provider (`StateProvider`) proves two things with verified headers: the app
   * hash of a snapshot, and the state and the commit of the snapshot's height.
   */
  readonly proofMs: number
  /**
   * The maximum number of attempts to prove the app hash of a snapshot. If all of them fail, the snapshot is rejected.
   */
  readonly maxProofAttempts: number
  /**
   * The maximum number of times that the application may request one chunk again. If the application requests the chunk
   * once more, the snapshot is rejected. A request does not count if the application also rejects a peer that offers
   * the snapshot. In this case the node stops using the peer, so the next attempt does not repeat the previous one.
   */
  readonly maxChunkRetries: number
  /**
   * The maximum number of times that the application may request the whole snapshot again. As with
   * `maxChunkRetries`, a request does not count if the application also rejects a peer that offers the snapshot.
   */
  readonly maxSnapshotRetries: number
  readonly maxChunkBytes: number
  /**
   * The maximum number of bytes of chunks on the disk. The chunk that must be applied next is stored even above this
   * limit. To make room, chunks that were applied are removed.
   */
  readonly maxStoredBytes: number
  readonly pool: SnapshotPoolOptions
}

/** The limits of the snapshots that peers offer: their number, and the memory for them in bytes. */
export interface SnapshotPoolOptions {
  readonly maxPerPeer: number
  /** The maximum memory for the snapshots that one peer offers, and for the snapshots that all peers together offer. */
  readonly maxBytesPerPeer: number
  readonly maxBytes: number
  /**
   * The maximum number of entries in each of these lists: rejected snapshots, rejected formats, and rejected peers.
   */
  readonly maxRejected: number
}

/** The default options of the restoration of a snapshot. */
export const DEFAULT_RESTORE_OPTIONS: RestoreOptions = {
  discoveryMs: 15_000,
  chunkRequestMs: 10_000,
  chunkFetchers: 4,
  chunksAhead: 16,
  maxSnapshotChunks: 100_000,
  chunkWaitMs: 120_000,
  minChunkRate: 10_000,
  msPerChunk: 200,
  proofMs: 90_000,
  maxProofAttempts: 3,
  maxChunkRetries: 10,
  maxSnapshotRetries: 10,
  maxChunkBytes: 16_000_000,
  maxStoredBytes: 2 * 1024 ** 3,
  pool: { maxPerPeer: 10, maxBytesPerPeer: 8_000_000, maxBytes: 64_000_000, maxRejected: 1000 },
}
