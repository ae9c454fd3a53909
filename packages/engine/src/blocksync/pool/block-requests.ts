import type { BlockWindow, WindowHeight } from './block-window.ts'
import type { PoolOptions } from './options.ts'
import { giveUpOn, hasBlock, type PoolPeer, startRequest } from './pool-peer.ts'

interface RequestModules {
  readonly peers: ReadonlyMap<string, PoolPeer>
  readonly window: BlockWindow
  /**
   * The greatest height that a peer claims. Peers whose lowest block is above the next block to apply are left
   * out. If no peer remains, the height is 0.
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
   * If a requested block does not arrive within the time `retryAfter`, marks its height as open, so that `fill`
   * requests the block again. If one of the next two blocks to apply does not arrive within the shorter time
   * `hedgeAfter`, requests this block from a second peer too.
   */
  readonly retryLate: (now: number) => void
}

export function createBlockRequests(options: PoolOptions, modules: RequestModules): BlockRequests {
  const { peers, window } = modules

  function choose(at: number, slot: WindowHeight, now: number): PoolPeer | undefined {
    let best: PoolPeer | undefined
    for (const peer of peers.values()) {
      if (!hasBlock(peer, at) || peer.pending.size >= peer.limit || peer.pending.has(at)) continue
      if ((slot.declined.get(peer.id) ?? 0) > now) continue
      if (best === undefined || peer.pending.size / peer.limit < best.pending.size / best.limit) best = peer
    }
    return best
  }

  function request(at: number, slot: WindowHeight, now: number): boolean {
    const peer = choose(at, slot, now)
    if (peer === undefined) return false
    startRequest(peer, at, now)
    slot.requestedFrom.add(peer.id)
    slot.requestedAt = now
    window.close(at)
    modules.send(peer.id, at)
    return true
  }

  /**
   * Returns true if the node may request blocks of further heights now. At least a quarter of the window must be free,
   * and the number of missing blocks must be at most half of the sum of the peers' request limits. Because of these two
   * conditions, the node sends several requests together, and receives several answers together.
   */
  function mayRequestMore(): boolean {
    const limits = [...peers.values()].reduce((sum, { limit }) => sum + limit, 0)
    return (
      window.missing() <= limits / 2 &&
      window.size() <= Math.max(options.maxBlocks * 0.75, options.firstPendingPerPeer - 1)
    )
  }

  /** Returns the greatest height that a peer claims to have, of the peers that may get another request. */
  function maxRequestable(): number {
    let max = 0
    for (const peer of peers.values()) if (peer.pending.size < peer.limit && peer.height > max) max = peer.height
    return max
  }

  /**
   * Requests the open heights. A block that was dropped for lack of room is requested again only if the free memory is
   * enough for this block and for all dropped blocks with a pending request, or if the block is applied next.
   */
  function requestOpenHeights(now: number): void {
    // Peers may leave after they claimed blocks that do not exist. The heights of these blocks stay open, so they must
    // cost little time.
    const max = maxRequestable()
    if (max === 0) return
    let expectedBytes = 0
    for (const [, { requestedFrom, droppedBytes }] of window.entries())
      if (requestedFrom.size > 0) expectedBytes += droppedBytes
    for (const at of window.open()) {
      if (at > max) continue
      const slot = window.get(at) as WindowHeight
      if (slot.droppedBytes > 0 && !window.mayKeep(at, expectedBytes + slot.droppedBytes)) continue
      if (request(at, slot, now)) expectedBytes += slot.droppedBytes
    }
  }

  function fill(now: number): void {
    if (window.hasOpen()) requestOpenHeights(now)
    if (window.hasOpen() || !mayRequestMore()) return
    const max = modules.maxHeight()
    for (let at = window.height() + window.size(); at <= max && window.hasRoom(); at++) {
      const slot: WindowHeight = {
        received: undefined,
        requestedFrom: new Set(),
        declined: new Map(),
        requestedAt: now,
        droppedBytes: 0,
      }
      if (!request(at, slot, now)) return
      window.add(slot)
    }
  }

  function retryLate(now: number): void {
    for (const [at, slot] of window.entries()) {
      if (slot.received !== undefined) continue
      const waited = now - slot.requestedAt
      if (waited >= options.retryAfter && slot.requestedFrom.size > 0) {
        // The peers in `slot.requestedFrom` may have dropped the request, so the node stops waiting for their answers.
        for (const id of slot.requestedFrom) {
          const peer = peers.get(id)
          if (peer !== undefined) giveUpOn(peer, at)
        }
        slot.requestedFrom.clear()
        window.reopen(at)
      } else if (at - window.height() <= 1 && waited >= options.hedgeAfter && slot.requestedFrom.size === 1)
        request(at, slot, now)
    }
  }

  return { fill, retryLate }
}
