import type { PoolOptions } from './options.ts'

/** Of one peer; the oldest is forgotten first. */
const MAX_OVERDUE = 1000

/** A peer that has blocks, and what it owes. */
export interface PoolPeer {
  readonly id: string
  base: number
  height: number
  /** Heights asked for, and when. An answer to any of these is no fault, also if it is not needed any more. */
  readonly pending: Map<number, number>
  /** Heights that it was asked for too long ago to count on an answer, which is no fault when it comes all the same. */
  readonly overdue: Set<number>
  /** How many may be pending. */
  limit: number
  /** When it last sent a block, or began to owe one. */
  lastAt: number
  /** What it sent since `windowStart`, while it owed something. */
  windowStart: number
  windowBytes: number
  windowBlocks: number
  /** How often in a row it had no block that it says it has. */
  declines: number
  /** A block of this peer was found good and applied. */
  hasDelivered: boolean
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
    hasDelivered: false,
  }
}

export function ask(peer: PoolPeer, height: number, now: number): void {
  if (peer.pending.size === 0) {
    peer.lastAt = now
    restartWindow(peer, now)
  }
  peer.pending.set(height, now)
}

/** False if the peer was not asked. */
export function settle(peer: PoolPeer, height: number): boolean {
  return peer.pending.delete(height) || peer.overdue.delete(height)
}

/** Counts on the peer for this height no more. */
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

/** Why the peer should go; `undefined` while it does well. Looks at its speed once a window. */
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
