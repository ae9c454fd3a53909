/** All times are in milliseconds. */
export interface PoolOptions {
  /**
   * The maximum number of pending requests of one peer. It begins with `firstPendingPerPeer`, and grows by one with
   * each block that the peer sends, up to `maxPendingPerPeer`.
   */
  readonly firstPendingPerPeer: number
  readonly maxPendingPerPeer: number
  /**
   * The maximum number of blocks that are requested or wait to be applied, and the memory that they may take together.
   * Before the size of any block is known, `firstPendingPerPeer` blocks are requested. The next two blocks are kept at
   * any size, others only if there is room.
   */
  readonly maxBlocks: number
  readonly maxBytes: number
  /** A peer with pending requests that sends nothing for this long is dropped. */
  readonly peerTimeout: number
  /**
   * A peer with pending requests must send this many bytes, or this many blocks, per second, if another peer has the
   * blocks too.
   */
  readonly minBytesPerSecond: number
  readonly minBlocksPerSecond: number
  /** The period over which a peer's speed is measured. */
  readonly rateWindow: number
  /** After this time, the next block is also requested from a second peer. */
  readonly hedgeAfter: number
  /** After this time, a block is requested again. */
  readonly retryAfter: number
  /** The time for which a peer without a block is not asked for it again. */
  readonly declineFor: number
  /** A peer that refuses this many requests in a row, for blocks that it claims to have, is dropped. */
  readonly maxDeclines: number
  readonly banFor: number
  /**
   * The time for which claims of heights may keep block sync from ending, if no block from the claiming peers was
   * applied. All peers share this time, so new peer ids do not add to it. Each applied block gives `claimsForBlock` of
   * it back.
   */
  readonly claimsFor: number
  readonly claimsForBlock: number
  /**
   * The claims of a peer are proven by an applied block of this peer. After the pool has waited for blocks for this
   * time, the proof does not count any more.
   */
  readonly provenFor: number
  /** The time after a recent block in which no claim counts as proven: the node is at the end of the chain. */
  readonly recentFor: number
}

export const DEFAULT_POOL_OPTIONS: PoolOptions = {
  firstPendingPerPeer: 20,
  maxPendingPerPeer: 200,
  maxBlocks: 1000,
  maxBytes: 16 * 1024 * 1024,
  peerTimeout: 15_000,
  minBytesPerSecond: 128 * 1024,
  minBlocksPerSecond: 20,
  rateWindow: 10_000,
  hedgeAfter: 2000,
  retryAfter: 30_000,
  declineFor: 1000,
  maxDeclines: 20,
  banFor: 60_000,
  claimsFor: 60_000,
  claimsForBlock: 10,
  provenFor: 300_000,
  recentFor: 30_000,
}
