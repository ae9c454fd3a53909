import type { BlockWindow, Slot } from './block-window.ts'
import type { PoolOptions } from './options.ts'
import { ask, giveUpOn, hasBlock, type PoolPeer } from './pool-peer.ts'

interface RequestModules {
  readonly peers: ReadonlyMap<string, PoolPeer>
  readonly window: BlockWindow
  /**
   * The greatest height that a peer claims, or 0. A peer whose lowest block is above the next block to apply does not
   * count.
   */
  readonly maxHeight: () => number
  readonly send: (peerId: string, height: number) => void
}

/** Decides which height the node requests from which peer, and when. */
export interface BlockRequests {
  /**
   * Requests the blocks of the open heights. A height of the window is open if its block is missing and no request for
   * the block is pending. When no height is open any more, adds and requests further heights while the window has room.
   */
  readonly fill: (now: number) => void
  /**
   * If a requested block takes too long to arrive, marks its height as open, so that `fill` requests the block again.
   * Each of the next two blocks is requested from a second peer after a shorter time.
   */
  readonly hurry: (now: number) => void
}

export function createBlockRequests(options: PoolOptions, modules: RequestModules): BlockRequests {
  const { peers, window } = modules

  function choose(at: number, slot: Slot, now: number): PoolPeer | undefined {
    let best: PoolPeer | undefined
    for (const peer of peers.values()) {
      if (!hasBlock(peer, at) || peer.pending.size >= peer.limit || peer.pending.has(at)) continue
      if ((slot.declined.get(peer.id) ?? 0) > now) continue
      if (best === undefined || peer.pending.size / peer.limit < best.pending.size / best.limit) best = peer
    }
    return best
  }

  function request(at: number, slot: Slot, now: number): boolean {
    const peer = choose(at, slot, now)
    if (peer === undefined) return false
    ask(peer, at, now)
    slot.asked.add(peer.id)
    slot.askedAt = now
    window.close(at)
    modules.send(peer.id, at)
    return true
  }

  /**
   * Returns true if the window has room, and few blocks are missing. At least a quarter of `maxBlocks` must be free.
   * The number of missing blocks must be at most half of the sum of the peers' request limits. Because of these
   * conditions, the node sends several requests together, and receives several answers together.
   */
  function mayAskForMore(): boolean {
    const limits = [...peers.values()].reduce((sum, { limit }) => sum + limit, 0)
    return (
      window.missing() <= limits / 2 &&
      window.size() <= Math.max(options.maxBlocks * 0.75, options.firstPendingPerPeer - 1)
    )
  }

  /**
   * Requests the open heights. If the block of a height was dropped for lack of room, there must now be enough free
   * memory to request it again. The free memory must hold this block, and all dropped blocks that were requested again
   * before.
   */
  function reask(now: number): void {
    let awaited = 0
    for (const [, { asked, postponed }] of window.entries()) if (asked.size > 0) awaited += postponed
    for (const at of window.open()) {
      const slot = window.get(at) as Slot
      if (slot.postponed > 0 && !window.mayKeep(at, awaited + slot.postponed)) continue
      if (request(at, slot, now)) awaited += slot.postponed
    }
  }

  function fill(now: number): void {
    if (window.hasOpen()) reask(now)
    if (window.hasOpen() || !mayAskForMore()) return
    const max = modules.maxHeight()
    for (let at = window.height() + window.size(); at <= max && window.hasRoom(); at++) {
      const slot: Slot = { got: undefined, asked: new Set(), declined: new Map(), askedAt: now, postponed: 0 }
      if (!request(at, slot, now)) return
      window.add(slot)
    }
  }

  function hurry(now: number): void {
    for (const [at, slot] of window.entries()) {
      if (slot.got !== undefined) continue
      const waited = now - slot.askedAt
      if (waited >= options.retryAfter && slot.asked.size > 0) {
        // The peers in `slot.asked` may have dropped the request, so the node stops waiting for their answers.
        for (const id of slot.asked) {
          const peer = peers.get(id)
          if (peer !== undefined) giveUpOn(peer, at)
        }
        slot.asked.clear()
        window.reopen(at)
      } else if (at - window.height() <= 1 && waited >= options.hedgeAfter && slot.asked.size === 1)
        request(at, slot, now)
    }
  }

  return { fill, hurry }
}
