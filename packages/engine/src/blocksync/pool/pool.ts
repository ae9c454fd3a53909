import type { Held } from '@org/runtime'
import type { Block, ExtendedCommit } from '@org/types/block'
import type { PoolOptions } from './options.ts'
import {
  ask,
  createPoolPeer,
  endRequest,
  giveUpOn,
  hasBlock,
  noteBlock,
  type PoolPeer,
  peerFault,
} from './pool-peer.ts'

/** A block that a peer sent. */
export interface PooledBlock {
  readonly block: Block
  readonly extCommit: ExtendedCommit | undefined
  /** Bytes of its message, and of the block in that message. */
  readonly size: number
  readonly blockSize: number
  /** The approximate memory that it takes, in bytes. */
  readonly heap: number
  readonly from: string
}

export type PoolEffect =
  | { readonly type: 'request'; readonly peerId: string; readonly height: number }
  /** The peer is useless: the connection is to be closed. */
  | { readonly type: 'drop'; readonly peerId: string; readonly reason: string }

/**
 * `late`: requested, but not needed any more. `postponed`: dropped, because there is no room for it; it is requested
 * again when there is room, or when it is one of the next two. `unasked`: not requested from this peer.
 */
export type Taking = 'taken' | 'late' | 'postponed' | 'unasked'

/** The next block is applied only with its successor, so these two are kept at any size. */
const ALWAYS_KEPT = 2

interface Slot {
  got: PooledBlock | undefined
  /** The peers with a pending request. */
  readonly asked: Set<string>
  /** The peers without this block, and the time until which they are not asked again. */
  readonly declined: Map<string, number>
  askedAt: number
  /** The memory that the block took when it was dropped because there was no room; 0 if it was not dropped. */
  postponed: number
}

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
   * True when no further block can come: the last block waits for its successor. Peers can delay this only for a limited time
   * (`claimsFor`) with claims of heights beyond the end of the chain.
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
  /** Removes the next block, which is about to be applied. `isRecent`: by its time, it is one of the last blocks of the chain. */
  readonly pop: (now: number, isRecent: boolean) => void
  /**
   * To be called when one of the next two blocks is bad: bans their senders, and requests all blocks of these peers
   * again. Returns the peers.
   */
  readonly refuse: (now: number) => readonly string[]
  /** To be called at short intervals. */
  readonly tick: (now: number) => void
  /** Returns and removes the effects since the last call. */
  readonly effects: () => readonly PoolEffect[]
}

const owes = ({ pending, overdue }: PoolPeer): boolean => pending.size + overdue.size > 0

export function createBlockPool(options: PoolOptions, startHeight: number): BlockPool {
  const peers = new Map<string, PoolPeer>()
  const banned = new Map<string, number>()
  const slots = new Map<number, Slot>()
  /** Heights that are not requested from any peer. */
  const open = new Set<number>()
  let height = startHeight
  /** Blocks that came and are not applied yet, and the memory that they take. */
  let buffered = { count: 0, bytes: 0 }
  let averageHeap = 0
  let queue: PoolEffect[] = []
  /**
   * Whether, at the last tick, only unproven claims kept block sync from ending; and the time for which they have
   * done so.
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
    let max = 0
    for (const peer of peers.values()) if (peer.base <= height && peer.height > max && counts(peer)) max = peer.height
    return max
  }

  const maxPeerHeight = (): number => maxHeightOf(() => true)
  const hasReached = (max: number): boolean => height >= max - 1
  const isProven = ({ deliveredAt }: PoolPeer): boolean =>
    deliveredAt !== undefined && waitedFor - deliveredAt < options.provenFor
  /** At the end of the chain no claim is proven: a peer can deliver each new block and claim blocks that do not exist. */
  const hasReachedProven = (): boolean => isRecent || hasReached(maxHeightOf(isProven))
  const isWaiting = (): boolean => slots.get(height)?.got === undefined || slots.get(height + 1)?.got === undefined

  /** Counts the time in which nothing but unproven claims keeps block sync from ending. A clock that jumps counts as one second. */
  function countUnprovenClaims(now: number): void {
    const elapsed = Math.min(now - tickedAt, 1000)
    if (isWaiting()) waitedFor += elapsed
    if (isHeldUp) heldUpFor += elapsed
    tickedAt = now
    isRecent = now < recentUntil
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

  /** Whether a block that takes this much memory may be kept. */
  function mayKeep(at: number, heap: number): boolean {
    return at - height < ALWAYS_KEPT || buffered.bytes + heap <= options.maxBytes
  }

  function buffer({ heap }: PooledBlock, sign: 1 | -1): void {
    buffered = { count: buffered.count + sign, bytes: buffered.bytes + sign * heap }
  }

  /**
   * New requests are made when half of the possible requests are answered, and a quarter of the room for blocks is
   * free. So several are sent together, and their answers come together.
   */
  function mayAskForMore(): boolean {
    const window = [...peers.values()].reduce((sum, { limit }) => sum + limit, 0)
    const asked = slots.size - buffered.count
    return asked <= window / 2 && slots.size <= Math.max(options.maxBlocks * 0.75, options.firstPendingPerPeer - 1)
  }

  /** Requests the open heights: blocks that were dropped before, only if there is room for them together. */
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

  /** Requests the next blocks a second time if they take too long. */
  function hurry(now: number): void {
    for (const [at, slot] of slots) {
      if (slot.got !== undefined) continue
      const waited = now - slot.askedAt
      if (waited >= options.retryAfter && slot.asked.size > 0) {
        // Each of these peers may have dropped the request.
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
    heldFor: (peerId) => {
      let [items, bytes] = [0, 0]
      for (const { got } of slots.values()) {
        if (got?.from !== peerId) continue
        items++
        bytes += got.heap
      }
      return { items, bytes }
    },
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
      if (peer === undefined || !endRequest(peer, at)) return 'unasked'
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
      if (peer === undefined || !endRequest(peer, at)) return
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
    pop: (now, isRecentBlock) => {
      const got = slots.get(height)?.got
      if (got !== undefined) {
        buffer(got, -1)
        const sender = peers.get(got.from)
        if (sender !== undefined) sender.deliveredAt = waitedFor
      }
      isRecent = isRecentBlock
      recentUntil = isRecent ? now + options.recentFor : now
      if (!isRecent) heldUpFor = Math.max(0, heldUpFor - options.claimsForBlock)
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
