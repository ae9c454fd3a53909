import type { Held } from '@org/runtime'
import { createBlockRequests } from './block-requests.ts'
import { createBlockWindow } from './block-window.ts'
import { createClaims } from './claims.ts'
import type { PoolOptions } from './options.ts'
import {
  createPoolPeer,
  endRequest,
  hasBlock,
  noteBlock,
  type PeerFault,
  type PoolPeer,
  peerFault,
} from './pool-peer.ts'
import type { PooledBlock } from './pooled-block.ts'

export type PoolEffect =
  | { readonly type: 'request'; readonly peerId: string; readonly height: number }
  /**
   * The caller must close the connection to the peer. `silent`: the peer sends no blocks. `slow`: the peer sends blocks
   * too slowly. `lacksBlocks`: the peer does not have blocks that it claims to have.
   */
  | { readonly type: 'drop'; readonly peerId: string; readonly fault: PeerFault | 'lacksBlocks' }

/**
 * The result of giving a block to the pool. `added`: the pool keeps the block. `notNeeded`: the block was requested,
 * but is not needed any more. `noRoom`: the pool has no room for the block and drops it. The pool requests the block
 * again when there is room. If the block becomes one of the next two blocks to apply, the pool requests it even without
 * room. `unrequested`: the block was not requested from this peer.
 */
export type AddResult = 'added' | 'notNeeded' | 'noRoom' | 'unrequested'

/**
 * Decides which blocks to request from which peer, and keeps the received blocks. The pool does no I/O and has no
 * clock: `now` is a time in milliseconds that never goes back, and `effects` returns what the caller must do. `height`
 * is the height of the next block to apply.
 */
export interface BlockPool {
  readonly height: () => number
  /**
   * The greatest height that a peer claims. A peer does not count if its lowest block is above the next block to apply.
   * If no peer counts, the result is 0.
   */
  readonly maxPeerHeight: () => number
  readonly peerCount: () => number
  /** The number of blocks that are requested or wait to be applied. */
  readonly size: () => number
  /** How many blocks of this peer wait to be applied, and how much memory they take. */
  readonly heldFor: (peerId: string) => Held
  /**
   * Returns true if there are peers, and none of them claims a block above `height() + 1`. The pool needs the block of
   * `height() + 1` to apply the block of `height()`, so block sync cannot apply the last block of a chain. If peers
   * claim blocks that do not exist, the result is false, but only for a limited time (`claimsFor`).
   */
  readonly isCaughtUp: () => boolean
  /** Records the range of blocks that a peer claims to have. */
  readonly setRange: (peerId: string, range: { readonly base: number; readonly height: number }, now: number) => void
  readonly removePeer: (peerId: string, now: number) => void
  readonly hasRequests: (peerId: string) => boolean
  /** The peers to which a request is pending or overdue. */
  readonly requestedPeers: () => readonly string[]
  readonly addBlock: (block: PooledBlock, now: number) => AddResult
  /** Records that the peer does not have this block. */
  readonly decline: (peerId: string, height: number, now: number) => void
  /** The block that is `ahead` blocks after the next block to apply. */
  readonly peek: (ahead: number) => PooledBlock | undefined
  /**
   * Removes the next block, because the caller is about to apply it. `isRecent` is true if the time in the block's
   * header shows that the block is one of the last blocks of the chain.
   */
  readonly pop: (now: number, isRecent: boolean) => void
  /**
   * Must be called when a block of this peer is bad. Removes the peer, and requests from other peers all blocks that it
   * sent or should send. For the time `banFor`, ignores the ranges of blocks that the removed peer reports.
   */
  readonly ban: (peerId: string, now: number) => void
  /** Drops silent and slow peers, and repeats overdue requests. Must be called at short intervals. */
  readonly tick: (now: number) => void
  /** Returns and removes the effects since the last call. */
  readonly effects: () => readonly PoolEffect[]
}

const hasOpenRequest = ({ pending, overdue }: PoolPeer): boolean => pending.size + overdue.size > 0

/**
 * Creates the pool, whose first block to apply is `startHeight`. The function is long because it handles all events
 * of the pool. Its parts, such as the window and the claims, are in other files.
 */
export function createBlockPool(options: PoolOptions, startHeight: number): BlockPool {
  const peers = new Map<string, PoolPeer>()
  const banned = new Map<string, number>()
  const window = createBlockWindow(options, startHeight)
  const claims = createClaims(options, peers, window)
  let queue: PoolEffect[] = []
  /**
   * True if no peer has changed its range since the last call of `tick`. A search for blocks to request may look at
   * each open height and at each peer. A peer may send reports of its range without end, so these reports begin at most
   * one search per tick.
   */
  let mayFillForRange = true
  const { fill, retryLate } = createBlockRequests(options, {
    peers,
    window,
    maxHeight: claims.maxHeight,
    send: (peerId, height) => queue.push({ type: 'request', peerId, height }),
  })

  const peek = (ahead: number): PooledBlock | undefined => window.get(window.height() + ahead)?.received

  function remove(peerId: string, now: number): void {
    const peer = peers.get(peerId)
    if (peer === undefined) return
    peers.delete(peerId)
    // If no peer has the block of a height, the height stays in the window. The map `declined` of the height records
    // each peer that refused to send the block. Peers with ever new ids could add any number of entries to this map, so
    // the entries of a removed peer are deleted.
    for (const [, { declined }] of window.entries()) declined.delete(peerId)
    for (const at of peer.pending.keys()) {
      window.get(at)?.requestedFrom.delete(peerId)
      window.reopen(at)
    }
    fill(now)
  }

  function ban(peerId: string, now: number): void {
    banned.set(peerId, now + options.banFor)
    window.dropFrom(peerId)
    remove(peerId, now)
  }

  function drop(peerId: string, fault: PeerFault | 'lacksBlocks', now: number): void {
    remove(peerId, now)
    queue.push({ type: 'drop', peerId, fault })
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
      if (peer === undefined) {
        peers.set(peerId, createPoolPeer(peerId, range, options.firstPendingPerPeer))
        fill(now)
        return
      }
      if (range.base === peer.base && range.height === peer.height) return
      Object.assign(peer, range)
      if (!mayFillForRange) return
      mayFillForRange = false
      fill(now)
    },
    removePeer: remove,
    hasRequests: (peerId) => {
      const peer = peers.get(peerId)
      return peer !== undefined && hasOpenRequest(peer)
    },
    requestedPeers: () => [...peers.values()].filter(hasOpenRequest).map(({ id }) => id),
    addBlock: (given, now) => {
      const at = given.block.header.height
      const peer = peers.get(given.from)
      if (peer === undefined || !endRequest(peer, at)) return 'unrequested'
      noteBlock(peer, given.size, { now, maxLimit: options.maxPendingPerPeer })
      window.measure(given.heap)
      const slot = window.get(at)
      slot?.requestedFrom.delete(given.from)
      const needed = slot !== undefined && slot.received === undefined
      if (needed && !window.mayKeep(at, given.heap)) {
        slot.droppedBytes = given.heap
        window.reopen(at)
        return 'noRoom'
      }
      if (needed) window.keep(at, given)
      fill(now)
      return needed ? 'added' : 'notNeeded'
    },
    decline: (peerId, at, now) => {
      const peer = peers.get(peerId)
      if (peer === undefined || !endRequest(peer, at)) return
      peer.lastAt = now
      const slot = window.get(at)
      slot?.requestedFrom.delete(peerId)
      slot?.declined.set(peerId, now + options.declineFor)
      window.reopen(at)
      peer.declines++
      if (peer.declines >= options.maxDeclines) drop(peerId, 'lacksBlocks', now)
      else fill(now)
    },
    peek,
    pop: (now, isRecent) => {
      const sender = peers.get(window.pop()?.from ?? '')
      if (sender !== undefined) claims.delivered(sender)
      claims.applied(now, isRecent)
      fill(now)
    },
    ban,
    tick: (now) => {
      for (const [id, until] of banned) if (until <= now) banned.delete(id)
      for (const peer of [...peers.values()]) {
        const fault = peerFault(peer, now, options)
        if (fault === 'silent') drop(peer.id, fault, now)
        else if (
          fault === 'slow' &&
          [...peers.values()].some((other) => other !== peer && hasBlock(other, window.height()))
        ) {
          drop(peer.id, fault, now)
        }
      }
      retryLate(now)
      mayFillForRange = true
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
