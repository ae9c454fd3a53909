import type { Held } from '@org/runtime'
import { createBlockRequests } from './block-requests.ts'
import { createBlockWindow } from './block-window.ts'
import { createClaims } from './claims.ts'
import type { PoolOptions } from './options.ts'
import { createPoolPeer, endRequest, hasBlock, noteBlock, type PoolPeer, peerFault } from './pool-peer.ts'
import type { PooledBlock } from './pooled-block.ts'

export type PoolEffect =
  | { readonly type: 'request'; readonly peerId: string; readonly height: number }
  /** The peer is useless, so the caller must close its connection. */
  | { readonly type: 'drop'; readonly peerId: string; readonly reason: string }

/**
 * `late`: the block was requested, but is not needed any more. `postponed`: the block was dropped, because there is no
 * room for it; it is requested again when there is room, or when it is one of the next two. `unasked`: the block was
 * not requested from this peer.
 */
export type Taking = 'taken' | 'late' | 'postponed' | 'unasked'

/**
 * Decides which blocks to request from which peer, and keeps those that came. Without I/O and clock: `now` is in
 * milliseconds that never go back, and `effects` returns what the caller must do. Slots are contiguous from `height`,
 * the next block to apply.
 */
export interface BlockPool {
  readonly height: () => number
  /** The greatest height of a useful peer; 0 without one. */
  readonly maxPeerHeight: () => number
  readonly peerCount: () => number
  /** The number of blocks that are requested or wait to be applied. */
  readonly size: () => number
  /** The blocks of a peer that wait to be applied. */
  readonly heldFor: (peerId: string) => Held
  /**
   * Returns true when no further block can come: the last block waits for its successor. Peers can delay this only for
   * a limited time (`claimsFor`) with claims of heights beyond the end of the chain.
   */
  readonly isCaughtUp: () => boolean
  /** Records the range of blocks that a peer claims to have. */
  readonly setRange: (peerId: string, range: { readonly base: number; readonly height: number }, now: number) => void
  readonly removePeer: (peerId: string, now: number) => void
  readonly isAsked: (peerId: string) => boolean
  /** The peers with a pending request. */
  readonly askedPeers: () => readonly string[]
  readonly take: (block: PooledBlock, now: number) => Taking
  /** Records that the peer does not have this block. */
  readonly decline: (peerId: string, height: number, now: number) => void
  /** The block that is `ahead` blocks after the next one to apply. */
  readonly peek: (ahead: number) => PooledBlock | undefined
  /**
   * Removes the next block, which is about to be applied. `isRecent`: by its time, it is one of the last blocks of the
   * chain.
   */
  readonly pop: (now: number, isRecent: boolean) => void
  /**
   * To be called when one of the next two blocks is bad: bans their senders, and requests all blocks of these peers
   * again. Returns the peers.
   */
  readonly refuse: (now: number) => readonly string[]
  /** Checks all time limits. To be called at short intervals. */
  readonly tick: (now: number) => void
  /** Returns and removes the effects since the last call. */
  readonly effects: () => readonly PoolEffect[]
}

const owes = ({ pending, overdue }: PoolPeer): boolean => pending.size + overdue.size > 0

/**
 * Creates the pool, which requests blocks from `startHeight` on. The function is long because it contains the list of
 * the events; the parts have their own files.
 */
export function createBlockPool(options: PoolOptions, startHeight: number): BlockPool {
  const peers = new Map<string, PoolPeer>()
  const banned = new Map<string, number>()
  const window = createBlockWindow(options, startHeight)
  const claims = createClaims(options, peers, window)
  let queue: PoolEffect[] = []
  const { fill, hurry } = createBlockRequests(options, {
    peers,
    window,
    maxHeight: claims.maxHeight,
    send: (peerId, height) => queue.push({ type: 'request', peerId, height }),
  })

  const peek = (ahead: number): PooledBlock | undefined => window.get(window.height() + ahead)?.got

  function remove(peerId: string, now: number): void {
    const peer = peers.get(peerId)
    if (peer === undefined) return
    peers.delete(peerId)
    for (const at of peer.pending.keys()) {
      window.get(at)?.asked.delete(peerId)
      window.reopen(at)
    }
    fill(now)
  }

  function ban(peerId: string, now: number): void {
    banned.set(peerId, now + options.banFor)
    window.dropFrom(peerId)
    remove(peerId, now)
  }

  function drop(peerId: string, reason: string, now: number): void {
    remove(peerId, now)
    queue.push({ type: 'drop', peerId, reason })
  }

  return {
    height: window.height,
    maxPeerHeight: claims.maxHeight,
    peerCount: () => peers.size,
    size: window.size,
    heldFor: window.heldFor,
    isCaughtUp: claims.isCaughtUp,
    setRange: (peerId, range, now) => {
      if ((banned.get(peerId) ?? 0) > now) return
      const peer = peers.get(peerId)
      if (range.base > range.height || (peer !== undefined && (range.base < peer.base || range.height < peer.height))) {
        ban(peerId, now)
        return
      }
      if (peer === undefined) peers.set(peerId, createPoolPeer(peerId, range, options.firstPendingPerPeer))
      else Object.assign(peer, range)
      fill(now)
    },
    removePeer: remove,
    isAsked: (peerId) => {
      const peer = peers.get(peerId)
      return peer !== undefined && owes(peer)
    },
    askedPeers: () => [...peers.values()].filter(owes).map(({ id }) => id),
    take: (given, now) => {
      const at = given.block.header.height
      const peer = peers.get(given.from)
      if (peer === undefined || !endRequest(peer, at)) return 'unasked'
      noteBlock(peer, given.size, { now, maxLimit: options.maxPendingPerPeer })
      window.measure(given.heap)
      const slot = window.get(at)
      slot?.asked.delete(given.from)
      const needed = slot !== undefined && slot.got === undefined
      if (needed && !window.mayKeep(at, given.heap)) {
        slot.postponed = given.heap
        window.reopen(at)
        return 'postponed'
      }
      if (needed) window.keep(at, given)
      fill(now)
      return needed ? 'taken' : 'late'
    },
    decline: (peerId, at, now) => {
      const peer = peers.get(peerId)
      if (peer === undefined || !endRequest(peer, at)) return
      peer.lastAt = now
      const slot = window.get(at)
      slot?.asked.delete(peerId)
      slot?.declined.set(peerId, now + options.declineFor)
      window.reopen(at)
      peer.declines++
      if (peer.declines >= options.maxDeclines) drop(peerId, 'peer does not have the blocks that it claims', now)
      else fill(now)
    },
    peek,
    pop: (now, isRecent) => {
      const sender = peers.get(window.pop()?.from ?? '')
      if (sender !== undefined) claims.delivered(sender)
      claims.applied(now, isRecent)
      fill(now)
    },
    refuse: (now) => {
      const senders = new Set([0, 1].flatMap((ahead) => peek(ahead)?.from ?? []))
      for (const id of senders) ban(id, now)
      return [...senders]
    },
    tick: (now) => {
      for (const [id, until] of banned) if (until <= now) banned.delete(id)
      for (const peer of [...peers.values()]) {
        const fault = peerFault(peer, now, options)
        if (fault === 'silent') drop(peer.id, 'peer did not send us anything', now)
        else if (
          fault === 'slow' &&
          [...peers.values()].some((other) => other !== peer && hasBlock(other, window.height()))
        ) {
          drop(peer.id, 'peer is not sending us data fast enough', now)
        }
      }
      hurry(now)
      fill(now)
      claims.tick(now)
    },
    effects: () => {
      const effects = queue
      queue = []
      return effects
    },
  }
}
