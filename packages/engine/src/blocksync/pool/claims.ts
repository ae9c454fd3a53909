import type { BlockWindow } from './block-window.ts'
import type { PoolOptions } from './options.ts'
import type { PoolPeer } from './pool-peer.ts'

/**
 * The heights that peers claim to have. Decides whether block sync may end, although some peers claim higher blocks.
 * The claim of a peer counts as proven for some time after a block of this peer was applied.
 */
export interface Claims {
  /** The greatest height of a useful peer; 0 without one. */
  readonly maxHeight: () => number
  readonly isCaughtUp: () => boolean
  /** Notes that a block of this peer was applied. */
  readonly delivered: (peer: PoolPeer) => void
  /** Notes that a block was applied. `isRecent`: by its time, it is one of the last blocks of the chain. */
  readonly applied: (now: number, isRecent: boolean) => void
  /** Counts the time in which nothing but unproven claims keeps block sync from ending. */
  readonly tick: (now: number) => void
}

export function createClaims(
  options: Pick<PoolOptions, 'provenFor' | 'claimsFor' | 'claimsForBlock' | 'recentFor'>,
  peers: ReadonlyMap<string, PoolPeer>,
  window: Pick<BlockWindow, 'height' | 'get'>,
): Claims {
  /**
   * True if, at the last tick, only unproven claims kept block sync from ending. `heldUpFor` is the total time of this
   * state.
   */
  let isHeldUp = false
  let heldUpFor = 0
  let tickedAt = 0
  /** The time in which the next block could not be applied, because it or its successor was missing. */
  let waitedFor = 0
  /** Until this time no claim is proven, because a recent block was applied. */
  let recentUntil = 0
  let isRecent = false

  /**
   * The greatest height of these peers. A peer whose base is above the next block does not count: it does not have
   * that block.
   */
  function maxHeightOf(counts: (peer: PoolPeer) => boolean): number {
    const height = window.height()
    let max = 0
    for (const peer of peers.values()) if (peer.base <= height && peer.height > max && counts(peer)) max = peer.height
    return max
  }

  const maxHeight = (): number => maxHeightOf(() => true)
  const hasReached = (max: number): boolean => window.height() >= max - 1
  const isProven = ({ deliveredAt }: PoolPeer): boolean =>
    deliveredAt !== undefined && waitedFor - deliveredAt < options.provenFor
  /** At the end of the chain no claim is proven: a peer can deliver each new block and claim blocks that do not exist. */
  const hasReachedProven = (): boolean => isRecent || hasReached(maxHeightOf(isProven))
  const isMissing = (at: number): boolean => window.get(at)?.got === undefined
  const isWaiting = (): boolean => isMissing(window.height()) || isMissing(window.height() + 1)

  return {
    maxHeight,
    isCaughtUp: () => {
      if (peers.size === 0) return false
      return hasReached(maxHeight()) || (heldUpFor >= options.claimsFor && hasReachedProven())
    },
    delivered: (peer) => {
      peer.deliveredAt = waitedFor
    },
    applied: (now, isRecentBlock) => {
      isRecent = isRecentBlock
      recentUntil = isRecent ? now + options.recentFor : now
      if (!isRecent) heldUpFor = Math.max(0, heldUpFor - options.claimsForBlock)
    },
    tick: (now) => {
      // The clock may jump: at most one second counts for a tick.
      const elapsed = Math.min(now - tickedAt, 1000)
      if (isWaiting()) waitedFor += elapsed
      if (isHeldUp) heldUpFor += elapsed
      tickedAt = now
      isRecent = now < recentUntil
      isHeldUp = !hasReached(maxHeight()) && hasReachedProven()
    },
  }
}
