/** The options of the block pool. All times are in milliseconds. */
export interface PoolOptions {
  /**
   * The maximum number of pending requests to one peer. It begins with `firstPendingPerPeer`, and grows by one with
   * each block that the peer sends, up to `maxPendingPerPeer`.
   */
  readonly firstPendingPerPeer: number
  readonly maxPendingPerPeer: number
  /**
   * `maxBlocks` is the maximum number of blocks that are requested or wait to be applied. `maxBytes` is the maximum
   * memory of these blocks, in bytes. Before the node has received a block, it cannot estimate the size of blocks, so
   * it requests only `firstPendingPerPeer` blocks. The next two blocks to apply are kept even if the memory exceeds
   * `maxBytes`. All other blocks are kept only if there is room.
   */
  readonly maxBlocks: number
  readonly maxBytes: number
  /** A peer that sends no answer for this time, although requests to it are pending, is dropped. */
  readonly peerTimeout: number
  /**
   * The lowest allowed speeds of a peer to which requests are pending, in bytes per second and in blocks per second. A
   * peer below both speeds is dropped if another peer has the next block too.
   */
  readonly minBytesPerSecond: number
  readonly minBlocksPerSecond: number
  /** The period over which a peer's speed is measured. */
  readonly rateWindow: number
  /** If one of the next two blocks does not arrive within this time, it is also requested from a second peer. */
  readonly hedgeAfter: number
  /** If a block does not arrive within this time, it is requested again. */
  readonly retryAfter: number
  /**
   * If a peer answers that it does not have a block, the node waits for this time before it requests the block from
   * that peer again.
   */
  readonly declineFor: number
  /** A peer that refuses this many requests in a row, for blocks that it claims to have, is dropped. */
  readonly maxDeclines: number
  readonly banFor: number
  /**
   * Peers may claim higher blocks than they send. Such claims may delay the end of block sync, by at most `claimsFor`
   * in all. The delay is counted for all peers together, so a peer that connects again with a new id gets no further
   * time. A block is recent if the time in its header shows that it is one of the last blocks of the chain. An applied
   * block that is not recent shows that the chain has higher blocks. So each applied block that is not recent reduces
   * the counted delay by `claimsForBlock`.
   */
  readonly claimsFor: number
  readonly claimsForBlock: number
  /**
   * After a block of a peer was applied, the height that this peer claims counts as proven. The delay that a proven
   * height causes does not count against `claimsFor`. From the applied block on, the pool adds up the time for which
   * the pool waits for missing blocks, no matter which peers should send them. When the sum reaches `provenFor`, the
   * height no longer counts as proven. When another block of this peer is applied, the sum for this peer begins again
   * at 0.
   */
  readonly provenFor: number
  /**
   * A recent block is one of the last blocks of the chain. During the time `recentFor` after a recent block was
   * applied, no claimed height counts as proven. Without this option, a peer that sends each new block could delay the
   * end of block sync for longer than `claimsFor`, because the false claims of this peer would count as proven. The
   * time `recentFor` ends early if the node applies a block that is not recent.
   */
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
