import type { PoolOptions } from './options.ts'

/** The maximum number of overdue heights of one peer; the oldest is removed first. */
const MAX_OVERDUE = 1000

/** A peer that has blocks, and its pending requests. */
export interface PoolPeer {
  readonly id: string
  base: number
  height: number
  /**
   * Requested heights, and the times of the requests. An answer to any of them is accepted, also if it is not needed
   * any more.
   */
  readonly pending: Map<number, number>
  /** Heights that were requested too long ago to expect an answer. A late answer is still no fault. */
  readonly overdue: Set<number>
  /** The maximum number of pending requests. */
  limit: number
  /** The time when the peer last sent a block, or when its first pending request was sent. */
  lastAt: number
  /** The bytes and blocks that the peer sent since `windowStart`, while it had pending requests. */
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

export function ask(peer: PoolPeer, height: number, now: number): void {
  if (peer.pending.size === 0) {
    peer.lastAt = now
    restartWindow(peer, now)
  }
  peer.pending.set(height, now)
}

/** Removes the request for a height; false if the height was not requested from the peer. */
export function endRequest(peer: PoolPeer, height: number): boolean {
  return peer.pending.delete(height) || peer.overdue.delete(height)
}

/** Stops expecting an answer of the peer for this height. */
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

/** The reason to drop the peer; `undefined` if it is good. Measures its speed once per window. */
export function peerFault(peer: PoolPeer, now: number, options: PoolOptions): 'silent' | 'slow' | undefined {
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
