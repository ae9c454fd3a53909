import type { PoolOptions } from './options.ts'

/**
 * The maximum number of overdue heights that are kept for one peer. Above this number, the oldest height is removed.
 */
const MAX_OVERDUE = 1000

/** A peer that has blocks, and its pending requests. */
export interface PoolPeer {
  readonly id: string
  base: number
  height: number
  /**
   * The heights that were requested from the peer, each with the time of its request. The peer's answer is accepted
   * even if another peer has sent the block in the meantime.
   */
  readonly pending: Map<number, number>
  /**
   * Heights that were requested so long ago that the node does not wait for the answer any more. A late answer is not a
   * fault of the peer.
   */
  readonly overdue: Set<number>
  /** The maximum number of pending requests to this peer. */
  limit: number
  /**
   * The time from which the node has waited for the peer's next answer. Each answer of the peer sets it to the present
   * time. So does a request to the peer, if no other request to the peer is pending.
   */
  lastAt: number
  /**
   * The present measurement of the peer's speed: the time when it began, and the numbers of bytes and blocks that the
   * peer has sent since then.
   */
  windowStart: number
  windowBytes: number
  windowBlocks: number
  /** The number of requests in a row that the peer refused, for blocks that it claims to have. */
  declines: number
  /**
   * The value of the pool's total waiting time (`waitedFor`) when a block of this peer was last applied; `undefined` if
   * no block of this peer was applied.
   */
  deliveredAt: number | undefined
}

export function createPoolPeer(
  id: string,
  range: { readonly base: number; readonly height: number },
  limit: number,
): PoolPeer {
  return {
    id,
    ...range,
    pending: new Map(),
    overdue: new Set(),
    limit,
    lastAt: 0,
    windowStart: 0,
    windowBytes: 0,
    windowBlocks: 0,
    declines: 0,
    deliveredAt: undefined,
  }
}

export function startRequest(peer: PoolPeer, height: number, now: number): void {
  if (peer.pending.size === 0) {
    peer.lastAt = now
    restartWindow(peer, now)
  }
  peer.pending.set(height, now)
}

/** Ends the request for a height. Returns false if this height was not requested from the peer. */
export function endRequest(peer: PoolPeer, height: number): boolean {
  return peer.pending.delete(height) || peer.overdue.delete(height)
}

/** Stops waiting for the peer's answer to the request for this height. A late answer is still accepted. */
export function giveUpOn(peer: PoolPeer, height: number): void {
  if (!peer.pending.delete(height)) return
  peer.overdue.add(height)
  const [oldest] = peer.overdue
  if (peer.overdue.size > MAX_OVERDUE && oldest !== undefined) peer.overdue.delete(oldest)
}

export function noteBlock(peer: PoolPeer, size: number, at: { readonly now: number; readonly maxLimit: number }): void {
  peer.lastAt = at.now
  peer.windowBytes += size
  peer.windowBlocks++
  peer.declines = 0
  if (peer.limit < at.maxLimit) peer.limit++
}

function restartWindow(peer: PoolPeer, now: number): void {
  peer.windowStart = now
  peer.windowBytes = 0
  peer.windowBlocks = 0
}

/** A reason why the pool may drop a peer. */
export type PeerFault = 'silent' | 'slow'

/**
 * Returns why the peer should be dropped; `undefined` if it should not. Measures the speed of the peer once per
 * `rateWindow`.
 */
export function peerFault(peer: PoolPeer, now: number, options: PoolOptions): PeerFault | undefined {
  if (peer.pending.size === 0) return undefined
  if (now - peer.lastAt >= options.peerTimeout) return 'silent'
  const elapsed = now - peer.windowStart
  if (elapsed < options.rateWindow) return undefined
  const seconds = elapsed / 1000
  const slow =
    peer.windowBytes / seconds < options.minBytesPerSecond && peer.windowBlocks / seconds < options.minBlocksPerSecond
  restartWindow(peer, now)
  return slow ? 'slow' : undefined
}

export const hasBlock = (peer: PoolPeer, height: number): boolean => height >= peer.base && height <= peer.height
