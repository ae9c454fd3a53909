import type { Block, ExtendedCommit } from '@org/types/block'
import type { PoolOptions } from './options.ts'
import { ask, createPoolPeer, giveUpOn, hasBlock, noteBlock, type PoolPeer, peerFault, settle } from './pool-peer.ts'

/** A block that came from a peer. */
export interface PooledBlock {
  readonly block: Block
  readonly extCommit: ExtendedCommit | undefined
  /** Bytes of the message that it came with, and of the block in that. */
  readonly size: number
  readonly blockSize: number
  /** About how many bytes of memory it takes. */
  readonly heap: number
  readonly from: string
}

export type PoolEffect =
  | { readonly type: 'request'; readonly peerId: string; readonly height: number }
  /** The peer is of no use: end the connection. */
  | { readonly type: 'drop'; readonly peerId: string; readonly reason: string }

/**
 * `late`: asked for, but not needed any more. `postponed`: dropped, because there is no room for it; it is asked for again when there
 * is, or when it is one of the next two. `unasked`: nobody asked the peer for it.
 */
export type Taking = 'taken' | 'late' | 'postponed' | 'unasked'

/** The next block is applied only with its successor: these two are kept however large they are. */
const ALWAYS_KEPT = 2

interface Slot {
  got: PooledBlock | undefined
  /** Who was asked and has not answered. */
  readonly asked: Set<string>
  /** Who has no such block, and until when not to ask again. */
  readonly declined: Map<string, number>
  askedAt: number
  /** The memory that a block took which was dropped for want of room; 0 if there was none. */
  postponed: number
}

/**
 * Which blocks to ask which peer for, and what came. Without I/O and clock: `now` is milliseconds that never go back; what is to be
 * done is returned by `effects`. Slots are contiguous from `height`, the next block to apply.
 */
export interface BlockPool {
  readonly height: () => number
  /** The greatest height that a useful peer has; 0 without one. */
  readonly maxPeerHeight: () => number
  readonly peerCount: () => number
  /** Blocks that are asked for or wait to be applied. */
  readonly size: () => number
  /**
   * Nothing more can be had: the last block waits for its successor. The claim of a peer counts only for a while (`claimsFor`) if no
   * block from that peer was applied.
   */
  readonly isCaughtUp: () => boolean
  /** What a peer says it has. */
  readonly setRange: (peerId: string, range: { readonly base: number; readonly height: number }, now: number) => void
  readonly removePeer: (peerId: string, now: number) => void
  readonly isAsked: (peerId: string) => boolean
  /** The peers that were asked for a block and have not answered. */
  readonly askedPeers: () => readonly string[]
  readonly take: (block: PooledBlock, now: number) => Taking
  /** The peer has no block of this height. */
  readonly decline: (peerId: string, height: number, now: number) => void
  /** The block that is `ahead` of the next one to apply. */
  readonly peek: (ahead: number) => PooledBlock | undefined
  /** The next block was found good. */
  readonly pop: (now: number) => void
  /** One of the next two blocks is bad: who sent them is banned, and what they sent is asked for anew. Returns these peers. */
  readonly refuse: (now: number) => readonly string[]
  /** To be called now and then. */
  readonly tick: (now: number) => void
  /** What is to be done since the last call. */
  readonly effects: () => readonly PoolEffect[]
}

const owes = ({ pending, overdue }: PoolPeer): boolean => pending.size + overdue.size > 0

export function createBlockPool(options: PoolOptions, startHeight: number): BlockPool {
  const peers = new Map<string, PoolPeer>()
  const banned = new Map<string, number>()
  const slots = new Map<number, Slot>()
  /** Heights that nobody is asked for. */
  const open = new Set<number>()
  let height = startHeight
  /** Blocks that came and are not applied yet, and the memory that they take. */
  let buffered = { count: 0, bytes: 0 }
  let averageHeap = 0
  let queue: PoolEffect[] = []
  /** At the last tick only unproven claims kept block sync from ending; and for how long they have done so in all. */
  let isHeldUp = false
  let heldUpFor = 0
  let tickedAt = 0

  /** A peer whose base lies beyond what is needed says nothing about how far the chain is for us. */
  function maxHeightOf(counts: (peer: PoolPeer) => boolean): number {
    let max = 0
    for (const peer of peers.values()) if (peer.base <= height && peer.height > max && counts(peer)) max = peer.height
    return max
  }

  const maxPeerHeight = (): number => maxHeightOf(() => true)
  const hasReached = (max: number): boolean => height >= max - 1
  const hasReachedProven = (): boolean => hasReached(maxHeightOf(({ hasDelivered }) => hasDelivered))

  /** Counts the time in which nothing but unproven claims keeps block sync from ending. A clock that jumps counts as one second. */
  function countUnprovenClaims(now: number): void {
    if (isHeldUp) heldUpFor += Math.min(now - tickedAt, 1000)
    tickedAt = now
    isHeldUp = !hasReached(maxPeerHeight()) && hasReachedProven()
  }

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
    open.delete(at)
    queue.push({ type: 'request', peerId: peer.id, height: at })
    return true
  }

  function hasRoom(): boolean {
    const always = averageHeap === 0 ? options.firstPendingPerPeer : ALWAYS_KEPT
    if (slots.size < always) return true
    const expected = (slots.size - buffered.count + 1) * averageHeap
    return slots.size < options.maxBlocks && buffered.bytes + expected <= options.maxBytes
  }

  /** Whether a block that takes so much memory may be kept. */
  function mayKeep(at: number, heap: number): boolean {
    return at - height < ALWAYS_KEPT || buffered.bytes + heap <= options.maxBytes
  }

  function buffer({ heap }: PooledBlock, sign: 1 | -1): void {
    buffered = { count: buffered.count + sign, bytes: buffered.bytes + sign * heap }
  }

  /**
   * New requests are made when half of what may be open is answered, and a quarter of the room for blocks is free: so several leave
   * at once, and their answers come together.
   */
  function mayAskForMore(): boolean {
    const window = [...peers.values()].reduce((sum, { limit }) => sum + limit, 0)
    const asked = slots.size - buffered.count
    return asked <= window / 2 && slots.size <= Math.max(options.maxBlocks * 0.75, options.firstPendingPerPeer - 1)
  }

  /** Asks for what nobody is asked for: for blocks that were dropped, only as far as there is room for them together. */
  function reask(now: number): void {
    let awaited = 0
    for (const { asked, postponed } of slots.values()) if (asked.size > 0) awaited += postponed
    for (const at of open) {
      const slot = slots.get(at) as Slot
      if (slot.postponed > 0 && !mayKeep(at, awaited + slot.postponed)) continue
      if (request(at, slot, now)) awaited += slot.postponed
    }
  }

  function fill(now: number): void {
    if (open.size > 0) reask(now)
    if (open.size > 0 || !mayAskForMore()) return
    const max = maxPeerHeight()
    for (let at = height + slots.size; at <= max && hasRoom(); at++) {
      const slot: Slot = { got: undefined, asked: new Set(), declined: new Map(), askedAt: now, postponed: 0 }
      if (!request(at, slot, now)) return
      slots.set(at, slot)
    }
  }

  function reopen(at: number): void {
    const slot = slots.get(at)
    if (slot !== undefined && slot.got === undefined && slot.asked.size === 0) open.add(at)
  }

  function remove(peerId: string, now: number): void {
    const peer = peers.get(peerId)
    if (peer === undefined) return
    peers.delete(peerId)
    for (const at of peer.pending.keys()) {
      slots.get(at)?.asked.delete(peerId)
      reopen(at)
    }
    fill(now)
  }

  function ban(peerId: string, now: number): void {
    banned.set(peerId, now + options.banFor)
    for (const [at, slot] of slots) {
      if (slot.got?.from !== peerId) continue
      buffer(slot.got, -1)
      slot.got = undefined
      reopen(at)
    }
    remove(peerId, now)
  }

  function drop(peerId: string, reason: string, now: number): void {
    remove(peerId, now)
    queue.push({ type: 'drop', peerId, reason })
  }

  /** Asks for what stands in the way once more, if it takes too long. */
  function hurry(now: number): void {
    for (const [at, slot] of slots) {
      if (slot.got !== undefined) continue
      const waited = now - slot.askedAt
      if (waited >= options.retryAfter && slot.asked.size > 0) {
        // Whoever was asked may have dropped the request.
        for (const id of slot.asked) {
          const peer = peers.get(id)
          if (peer !== undefined) giveUpOn(peer, at)
        }
        slot.asked.clear()
        reopen(at)
      } else if (at - height <= 1 && waited >= options.hedgeAfter && slot.asked.size === 1) request(at, slot, now)
    }
  }

  return {
    height: () => height,
    maxPeerHeight,
    peerCount: () => peers.size,
    size: () => slots.size,
    isCaughtUp: () => {
      if (peers.size === 0) return false
      return hasReached(maxPeerHeight()) || (heldUpFor >= options.claimsFor && hasReachedProven())
    },
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
      if (peer === undefined || !settle(peer, at)) return 'unasked'
      noteBlock(peer, given.size, { now, maxLimit: options.maxPendingPerPeer })
      averageHeap = averageHeap === 0 ? given.heap : averageHeap * 0.95 + given.heap * 0.05
      const slot = slots.get(at)
      slot?.asked.delete(given.from)
      const needed = slot !== undefined && slot.got === undefined
      if (needed && !mayKeep(at, given.heap)) {
        slot.postponed = given.heap
        reopen(at)
        return 'postponed'
      }
      if (needed) {
        slot.got = given
        buffer(given, 1)
        open.delete(at)
      }
      fill(now)
      return needed ? 'taken' : 'late'
    },
    decline: (peerId, at, now) => {
      const peer = peers.get(peerId)
      if (peer === undefined || !settle(peer, at)) return
      peer.lastAt = now
      const slot = slots.get(at)
      slot?.asked.delete(peerId)
      slot?.declined.set(peerId, now + options.declineFor)
      reopen(at)
      peer.declines++
      if (peer.declines >= options.maxDeclines) drop(peerId, 'peer does not have the blocks that it claims', now)
      else fill(now)
    },
    peek: (ahead) => slots.get(height + ahead)?.got,
    pop: (now) => {
      const got = slots.get(height)?.got
      if (got !== undefined) {
        buffer(got, -1)
        const sender = peers.get(got.from)
        if (sender !== undefined) sender.hasDelivered = true
      }
      heldUpFor = Math.max(0, heldUpFor - options.claimsForBlock)
      slots.delete(height)
      open.delete(height)
      height++
      fill(now)
    },
    refuse: (now) => {
      const senders = new Set([0, 1].flatMap((ahead) => slots.get(height + ahead)?.got?.from ?? []))
      for (const id of senders) ban(id, now)
      return [...senders]
    },
    tick: (now) => {
      for (const [id, until] of banned) if (until <= now) banned.delete(id)
      for (const peer of [...peers.values()]) {
        const fault = peerFault(peer, now, options)
        if (fault === 'silent') drop(peer.id, 'peer did not send us anything', now)
        else if (fault === 'slow' && [...peers.values()].some((other) => other !== peer && hasBlock(other, height))) {
          drop(peer.id, 'peer is not sending us data fast enough', now)
        }
      }
      hurry(now)
      fill(now)
      countUnprovenClaims(now)
    },
    effects: () => {
      const effects = queue
      queue = []
      return effects
    },
  }
}
