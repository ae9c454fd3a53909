import { dropOldest } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import type { SnapshotPoolOptions } from './options.ts'
import { ACCEPTED, ignored, type Receipt } from './receipt.ts'
import { snapshotKey } from './snapshot-key.ts'

/** The approximate memory that a snapshot takes in addition to its hash and metadata, in bytes. */
const ENTRY_BYTES = 1024

interface Entry {
  readonly key: string
  readonly snapshot: Snapshot
  readonly bytes: number
  readonly peers: Set<string>
  /** The number of times that the snapshot was put aside. */
  postponed: number
  isAside: boolean
}

/**
 * The snapshots that one peer offers, and the memory that they take. A snapshot that several peers offer counts fully
 * for each of these peers.
 */
interface Offers {
  readonly keys: Set<string>
  bytes: number
}

/**
 * The snapshots that peers offer, with the peers of each snapshot. `best` first compares failures: for each snapshot,
 * it counts the failures of the peer that has failed least. The snapshot with fewer failures is chosen. Otherwise one
 * peer could offer a new, higher snapshot after each failure, and the snapshots of other peers would never be tried.
 * If the numbers of failures are equal, `best` chooses as the reference does: the greatest height first, then the
 * greatest format, then the most peers.
 *
 * The memory is limited for each peer and in total. At the total limit, the peer whose offers take the most memory
 * loses some of its offers.
 */
export interface SnapshotPool {
  readonly add: (peer: string, snapshot: Snapshot) => Receipt
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

function isBetter(a: Entry, b: Entry): boolean {
  const difference =
    a.snapshot.height - b.snapshot.height || a.snapshot.format - b.snapshot.format || a.peers.size - b.peers.size
  return difference > 0 || (difference === 0 && a.key < b.key)
}

/**
 * Creates an empty pool. The function is long because it contains all operations of the pool, which change the same
 * maps and sets.
 */
export function createSnapshotPool(options: SnapshotPoolOptions): SnapshotPool {
  const entries = new Map<string, Entry>()
  const offers = new Map<string, Offers>()
  const rejectedKeys = new Set<string>()
  const rejectedFormats = new Set<number>()
  const rejectedPeers = new Set<string>()
  /** The number of failures of each peer. It is kept when the peer disconnects and connects again. */
  const failures = new Map<string, number>()
  let bytes = 0

  function forbid<T>(list: Set<T>, item: T): void {
    list.add(item)
    dropOldest(list, options.maxRejected)
  }

  function unlink(peer: string, entry: Entry): void {
    const offered = offers.get(peer)
    if (offered?.keys.delete(entry.key) !== true) return
    offered.bytes -= entry.bytes
    if (offered.keys.size === 0) offers.delete(peer)
    entry.peers.delete(peer)
    if (entry.peers.size > 0) return
    entries.delete(entry.key)
    bytes -= entry.bytes
  }

  function removeEntry(entry: Entry): void {
    for (const peer of [...entry.peers]) unlink(peer, entry)
  }

  function removePeer(peer: string): void {
    for (const key of [...(offers.get(peer)?.keys ?? [])]) unlink(peer, entries.get(key) as Entry)
  }

  const heldBy = (peer: string): number => offers.get(peer)?.bytes ?? 0

  /**
   * Removes the worst offer of the peer whose offers take the most memory. Returns false, and removes nothing, if the
   * offers of this peer take at most `limit` bytes.
   */
  function makeWay(limit: number): boolean {
    let heaviest = ''
    for (const peer of offers.keys()) if (heldBy(peer) > heldBy(heaviest)) heaviest = peer
    if (heldBy(heaviest) <= limit) return false
    let worst: Entry | undefined
    for (const key of offers.get(heaviest)?.keys ?? []) {
      const entry = entries.get(key) as Entry
      if (worst === undefined || isBetter(worst, entry)) worst = entry
    }
    if (worst !== undefined) unlink(heaviest, worst)
    return worst !== undefined
  }

  /**
   * Returns the reason if the pool cannot accept a snapshot of this format and size from the peer; otherwise
   * `undefined`.
   */
  function refusal(peer: string, { format }: Snapshot, size: number): string | undefined {
    if (rejectedFormats.has(format)) return 'the format was rejected'
    if (rejectedPeers.has(peer)) return 'the peer was rejected'
    if ((offers.get(peer)?.keys.size ?? 0) >= options.maxPerPeer) return 'the peer offers too many snapshots'
    if (heldBy(peer) + size > options.maxBytesPerPeer) return 'the snapshots of the peer are too large'
    return undefined
  }

  function enter(key: string, snapshot: Snapshot, size: number): Entry {
    // The hash and the metadata are copied. Otherwise the whole message, which may be much longer, would stay in
    // memory.
    const own = { ...snapshot, hash: snapshot.hash.slice(), metadata: snapshot.metadata.slice() }
    const entry = { key, snapshot: own, bytes: size, peers: new Set<string>(), postponed: 0, isAside: false }
    entries.set(key, entry)
    bytes += size
    return entry
  }

  function add(peer: string, snapshot: Snapshot): Receipt {
    const size = ENTRY_BYTES + snapshot.hash.length + snapshot.metadata.length
    const reason = refusal(peer, snapshot, size)
    if (reason !== undefined) return ignored(reason)
    const key = snapshotKey(snapshot)
    if (rejectedKeys.has(key)) return ignored('the snapshot was rejected')
    if (offers.get(peer)?.keys.has(key) === true) return ignored('the peer has offered this snapshot before')
    while (!entries.has(key) && bytes + size > options.maxBytes) {
      if (!makeWay(heldBy(peer) + size)) return ignored('too many snapshots are offered')
    }
    const entry = entries.get(key) ?? enter(key, snapshot, size)
    entry.peers.add(peer)
    const offered = offers.get(peer) ?? { keys: new Set<string>(), bytes: 0 }
    offers.set(peer, offered)
    offered.keys.add(key)
    offered.bytes += size
    return ACCEPTED
  }

  /** Returns the smallest number of failures among the peers that offer the snapshot. */
  const failuresOf = ({ peers }: Entry): number => {
    let fewest = Number.POSITIVE_INFINITY
    for (const peer of peers) fewest = Math.min(fewest, failures.get(peer) ?? 0)
    return fewest
  }

  function isFirst(a: Entry, b: Entry): boolean {
    const difference = failuresOf(a) - failuresOf(b)
    return difference < 0 || (difference === 0 && isBetter(a, b))
  }

  const find = (snapshot: Snapshot): Entry | undefined => entries.get(snapshotKey(snapshot))

  return {
    add,
    best: () => {
      let best: Entry | undefined
      for (const entry of entries.values()) {
        if (!entry.isAside && (best === undefined || isFirst(entry, best))) best = entry
      }
      return best?.snapshot
    },
    peersOf: (snapshot) => [...(find(snapshot)?.peers ?? [])].sort(),
    reject: (snapshot) => {
      const key = snapshotKey(snapshot)
      forbid(rejectedKeys, key)
      const entry = entries.get(key)
      if (entry !== undefined) removeEntry(entry)
    },
    rejectFormat: (format) => {
      forbid(rejectedFormats, format)
      for (const entry of [...entries.values()]) if (entry.snapshot.format === format) removeEntry(entry)
    },
    rejectPeer: (peer) => {
      removePeer(peer)
      forbid(rejectedPeers, peer)
    },
    removePeer,
    withdraw: (peer, snapshot) => {
      const entry = find(snapshot)
      if (entry !== undefined) unlink(peer, entry)
    },
    failed: (peers) => {
      for (const peer of peers) {
        const count = failures.get(peer) ?? 0
        // The peer moves to the end of the map. So the first peer of the map is the one whose last failure is the
        // longest ago.
        failures.delete(peer)
        failures.set(peer, count + 1)
      }
      dropOldest(failures, options.maxRejected)
    },
    postpone: (snapshot) => {
      const entry = find(snapshot)
      if (entry === undefined) return 0
      entry.isAside = true
      return ++entry.postponed
    },
    resume: () => {
      for (const entry of entries.values()) entry.isAside = false
    },
    sizes: () => ({
      snapshots: entries.size,
      bytes,
      rejected: rejectedKeys.size + rejectedFormats.size + rejectedPeers.size + failures.size,
    }),
  }
}
