/** Times in milliseconds. */
export interface PoolOptions {
  /** Requests that one peer may have open: it starts with the first, and gets one more with each block that it sends. */
  readonly firstPendingPerPeer: number
  readonly maxPendingPerPeer: number
  /**
   * Blocks that are asked for or wait to be applied, and the memory that they may take together. Before the size of any block is known,
   * `firstPendingPerPeer` are asked for; the next two blocks are kept however large they are, others only where there is room.
   */
  readonly maxBlocks: number
  readonly maxBytes: number
  /** A peer that owes blocks and sends nothing for so long is let go. */
  readonly peerTimeout: number
  /** A peer that owes blocks must send so many bytes, or so many blocks, a second, if another peer has them too. */
  readonly minBytesPerSecond: number
  readonly minBlocksPerSecond: number
  /** Over which a peer's speed is measured. */
  readonly rateWindow: number
  /** The next block is asked for at a second peer after this. */
  readonly hedgeAfter: number
  /** A block is asked for again after this. */
  readonly retryAfter: number
  /** How long a peer without a block is not asked for it again. */
  readonly declineFor: number
  /** A peer that says so this often in a row, of blocks that it claims to have, is let go. */
  readonly maxDeclines: number
  readonly banFor: number
  /**
   * The time for which claims of heights may keep block sync from ending, if no block from the claiming peers was applied. All peers
   * share this time, so new peer ids do not add to it. Each applied block gives `claimsForBlock` of it back.
   */
  readonly claimsFor: number
  readonly claimsForBlock: number
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
}
