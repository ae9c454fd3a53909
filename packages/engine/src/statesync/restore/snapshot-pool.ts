import { dropOldest } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import type { SnapshotPoolOptions } from './options.ts'
import { ACCEPTED, ignored, type RestoreVerdict } from './restore-verdict.ts'
import { snapshotKey } from './snapshot-key.ts'
import { createSnapshotOffers, isBetter, type OfferedSnapshot } from './snapshot-offers.ts'

/** The approximate memory that a snapshot takes in addition to its hash and metadata, in bytes. */
const ENTRY_BYTES = 1024

/**
 * The snapshots that peers offer, with the peers of each snapshot. `best` returns the snapshot to restore next. For
 * each snapshot, `best` looks at the peer with the fewest failures (see `failed`). Then `best` chooses the snapshot
 * whose peer has the fewest failures. Without this rule, a peer could offer a new, higher snapshot after each failure,
 * and the snapshots of other peers would never be tried. Among snapshots with equally few failures, `best` chooses as
 * the reference does: the greatest height first, then the greatest format, then the most peers.
 *
 * The memory is limited for each peer and in total. At the total limit, the peer whose offers take the most memory
 * loses some of its offers.
 */
export interface SnapshotPool {
  readonly add: (peer: string, snapshot: Snapshot) => RestoreVerdict
  readonly best: () => Snapshot | undefined
  /** The ids of the peers that offer the snapshot, in sorted order. */
  readonly peersOf: (snapshot: Snapshot) => readonly string[]
  /** Removes this snapshot, and does not accept it again. */
  readonly reject: (snapshot: Snapshot) => void
  readonly rejectFormat: (format: number) => void
  /** Removes this peer's offers, and does not accept a snapshot from this peer again. */
  readonly rejectPeer: (peer: string) => void
  /** Removes a peer that has disconnected, and the snapshots that no other peer offers. */
  readonly removePeer: (peer: string) => void
  /** Records that the peer does not offer this snapshot any more. */
  readonly withdraw: (peer: string, snapshot: Snapshot) => void
  /** Records that a snapshot of these peers could not be restored. */
  readonly failed: (peers: readonly string[]) => void
  /**
   * Puts the snapshot aside: `best` does not return it until `resume` is called. Returns how often this snapshot was
   * put aside.
   */
  readonly postpone: (snapshot: Snapshot) => number
  readonly resume: () => void
  readonly sizes: () => { readonly snapshots: number; readonly bytes: number; readonly rejected: number }
}

/**
 * The order of the peers that offer snapshots. Each peer has a number. The snapshots of the peer with the smallest
 * number are tried first. A peer begins with the number 0 if its first offer arrives before a snapshot has failed.
 */
function createPeerTurns() {
  const turns = new Map<string, number>()
  let failures = 0
  return {
    /** Records the first offer of a peer. The peer gets a smaller number than the peers whose snapshot failed last. */
    join: (peer: string): void => {
      if (!turns.has(peer)) turns.set(peer, Math.max(0, 2 * failures - 1))
    },
    leave: (peer: string): void => void turns.delete(peer),
    failed: (peers: readonly string[]): void => {
      failures++
      for (const peer of peers) if (turns.has(peer)) turns.set(peer, 2 * failures)
    },
    first: (peers: Iterable<string>): number => {
      let first = Number.POSITIVE_INFINITY
      for (const peer of peers) first = Math.min(first, turns.get(peer) ?? 0)
      return first
    },
  }
}

/** Creates an empty pool. */
export function createSnapshotPool(options: SnapshotPoolOptions): SnapshotPool {
  const offers = createSnapshotOffers()
  const rejectedKeys = new Set<string>()
  const rejectedFormats = new Set<number>()
  const rejectedPeers = new Set<string>()
  const turns = createPeerTurns()

  function forbid<T>(list: Set<T>, item: T): void {
    list.add(item)
    dropOldest(list, options.maxRejected)
  }

  /**
   * Returns the reason if the pool cannot accept a snapshot of this format and size from the peer; otherwise
   * `undefined`.
   */
  function refusal(peer: string, { format }: Snapshot, size: number): string | undefined {
    if (rejectedFormats.has(format)) return 'the format was rejected'
    if (rejectedPeers.has(peer)) return 'the peer was rejected'
    if (offers.countOf(peer) >= options.maxPerPeer) return 'the peer offers too many snapshots'
    if (offers.bytesOf(peer) + size > options.maxBytesPerPeer) return 'the snapshots of the peer are too large'
    return undefined
  }

  function add(peer: string, snapshot: Snapshot): RestoreVerdict {
    const size = ENTRY_BYTES + snapshot.hash.length + snapshot.metadata.length
    const reason = refusal(peer, snapshot, size)
    if (reason !== undefined) return ignored(reason)
    const key = snapshotKey(snapshot)
    if (rejectedKeys.has(key)) return ignored('the snapshot was rejected')
    if (offers.isOfferedBy(peer, key)) return ignored('the peer has offered this snapshot before')
    while (offers.get(key) === undefined && offers.bytes() + size > options.maxBytes) {
      if (!offers.makeWay(offers.bytesOf(peer) + size)) return ignored('too many snapshots are offered')
    }
    offers.add(peer, { key, snapshot, bytes: size })
    turns.join(peer)
    return ACCEPTED
  }

  function isFirst(a: OfferedSnapshot, b: OfferedSnapshot): boolean {
    const difference = turns.first(a.peers) - turns.first(b.peers)
    return difference < 0 || (difference === 0 && isBetter(a, b))
  }

  function removePeer(peer: string): void {
    offers.removePeer(peer)
    turns.leave(peer)
  }

  const find = (snapshot: Snapshot): OfferedSnapshot | undefined => offers.get(snapshotKey(snapshot))

  return {
    add,
    best: () => {
      let best: OfferedSnapshot | undefined
      for (const offered of offers.all()) {
        if (!offered.isAside && (best === undefined || isFirst(offered, best))) best = offered
      }
      return best?.snapshot
    },
    peersOf: (snapshot) => [...(find(snapshot)?.peers ?? [])].sort(),
    reject: (snapshot) => {
      forbid(rejectedKeys, snapshotKey(snapshot))
      const offered = find(snapshot)
      if (offered !== undefined) offers.remove(offered)
    },
    rejectFormat: (format) => {
      forbid(rejectedFormats, format)
      for (const offered of [...offers.all()]) if (offered.snapshot.format === format) offers.remove(offered)
    },
    rejectPeer: (peer) => {
      removePeer(peer)
      forbid(rejectedPeers, peer)
    },
    removePeer,
    withdraw: (peer, snapshot) => {
      const offered = find(snapshot)
      if (offered !== undefined) offers.withdraw(peer, offered)
    },
    failed: turns.failed,
    postpone: (snapshot) => {
      const offered = find(snapshot)
      if (offered === undefined) return 0
      offered.isAside = true
      return ++offered.postponed
    },
    resume: () => {
      for (const offered of offers.all()) offered.isAside = false
    },
    sizes: () => ({
      snapshots: offers.size(),
      bytes: offers.bytes(),
      rejected: rejectedKeys.size + rejectedFormats.size + rejectedPeers.size,
    }),
  }
}
