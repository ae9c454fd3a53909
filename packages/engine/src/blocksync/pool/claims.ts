import type { BlockWindow } from './block-window.ts'
import type { PoolOptions } from './options.ts'
import type { PoolPeer } from './pool-peer.ts'

/**
 * The heights that peers claim to have, and the decision whether block sync may end although some peers claim higher
 * blocks. The claim of a peer counts as proven for some time after a block from this peer was applied.
 */
export interface Claims {
  /**
   * The greatest height that a peer claims. A peer does not count if its lowest block is above the next block to apply.
   * If no peer counts, the result is 0.
   */
  readonly maxHeight: () => number
  readonly isCaughtUp: () => boolean
  /** Notes that a block of this peer was applied. */
  readonly delivered: (peer: PoolPeer) => void
  /**
   * Notes that a block was applied. `isRecent` is true if the time in the block's header shows that this block is one
   * of the last blocks of the chain.
   */
  readonly applied: (now: number, isRecent: boolean) => void
  /**
   * Must be called regularly. Measures for how long one of the next two blocks has been missing. Also measures for how
   * long block sync has continued only because peers claim heights that are not proven.
   */
  readonly tick: (now: number) => void
}

export function createClaims(
  options: Pick<PoolOptions, 'provenFor' | 'claimsFor' | 'claimsForBlock' | 'recentFor'>,
  peers: ReadonlyMap<string, PoolPeer>,
  window: Pick<BlockWindow, 'height' | 'get'>,
): Claims {
  /**
   * True if, at the last call of `tick`, only unproven claims of peers kept block sync from ending. `heldUpFor` is the
   * time for which this was true, in milliseconds. Each applied block that is not recent reduces `heldUpFor` by
   * `claimsForBlock`.
   */
  let isHeldUp = false
  let heldUpFor = 0
  let tickedAt = 0
  /**
   * The total time in milliseconds for which the next block could not be applied, because one of two blocks was
   * missing: the next block itself, or its successor, whose last commit proves the next block.
   */
  let waitedFor = 0
  /**
   * Until this time, no peer's claim of a height counts as proven. When the node applies a recent block, this time is
   * set: the node is then at the end of the chain, so the applied block does not prove that much higher blocks exist.
   */
  let recentUntil = 0
  let isRecent = false

  /**
   * Returns the greatest height of the peers for which `counts` returns true. A peer whose lowest block is above the
   * next block does not count, because it cannot send the next block.
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
  /**
   * Returns true if the node has reached all heights that peers claim and that count as proven. At the end of the
   * chain, no claim counts as proven, so the result is always true. Without this rule, a peer could delay the end of
   * block sync without limit: the peer would deliver each new block, and also claim blocks that do not exist.
   */
  const hasReachedProven = (): boolean => isRecent || hasReached(maxHeightOf(isProven))
  const isMissing = (at: number): boolean => window.get(at)?.received === undefined
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
      // The clock may jump forward, so each call of `tick` counts at most one second.
      const elapsed = Math.min(now - tickedAt, 1000)
      if (isWaiting()) waitedFor += elapsed
      if (isHeldUp) heldUpFor += elapsed
      tickedAt = now
      isRecent = now < recentUntil
      isHeldUp = !hasReached(maxHeight()) && hasReachedProven()
    },
  }
}
