import type { Snapshot } from '@org/types/abci'

/** A snapshot with the peers that offer it. */
export interface OfferedSnapshot {
  readonly key: string
  readonly snapshot: Snapshot
  /** The approximate memory that the snapshot takes. */
  readonly bytes: number
  readonly peers: ReadonlySet<string>
  /** The number of times that the snapshot was put aside (`postpone` of `SnapshotPool`). */
  postponed: number
  isAside: boolean
}

/** The snapshots that one peer offers, and the memory that they take. */
interface PeerOffers {
  readonly keys: Set<string>
  bytes: number
}

/**
 * The snapshots that peers offer, and the peers that offer them. A snapshot that no peer offers any more is removed. If
 * several peers offer a snapshot, `bytes` counts its memory once. `bytesOf` counts its whole memory for each of these
 * peers.
 */
export interface SnapshotOffers {
  readonly get: (key: string) => OfferedSnapshot | undefined
  readonly all: () => Iterable<OfferedSnapshot>
  /** The number of snapshots. */
  readonly size: () => number
  readonly bytes: () => number
  /** The number of snapshots that the peer offers. */
  readonly countOf: (peer: string) => number
  readonly bytesOf: (peer: string) => number
  readonly isOfferedBy: (peer: string, key: string) => boolean
  /** Records that the peer offers the snapshot. The caller must not pass an offer that is recorded already. */
  readonly add: (peer: string, offer: Pick<OfferedSnapshot, 'key' | 'snapshot' | 'bytes'>) => void
  /** Records that the peer does not offer the snapshot any more. */
  readonly withdraw: (peer: string, offered: OfferedSnapshot) => void
  readonly remove: (offered: OfferedSnapshot) => void
  readonly removePeer: (peer: string) => void
  /**
   * Removes the worst offer of the peer whose offers take the most memory. Returns false, and removes nothing, if the
   * offers of this peer take at most `limit` bytes.
   */
  readonly makeWay: (limit: number) => boolean
}

/** Compares two snapshots as the reference does: the greatest height, then the greatest format, then the most peers. */
export function isBetter(a: OfferedSnapshot, b: OfferedSnapshot): boolean {
  const difference =
    a.snapshot.height - b.snapshot.height || a.snapshot.format - b.snapshot.format || a.peers.size - b.peers.size
  return difference > 0 || (difference === 0 && a.key < b.key)
}

export function createSnapshotOffers(): SnapshotOffers {
  const entries = new Map<string, OfferedSnapshot & { readonly peers: Set<string> }>()
  const byPeer = new Map<string, PeerOffers>()
  let bytes = 0

  function addEntry({ key, snapshot, bytes: size }: Pick<OfferedSnapshot, 'key' | 'snapshot' | 'bytes'>) {
    // The hash and the metadata are views of the received message, which may be much longer. A view keeps the whole
    // message in memory. So both are copied.
    const copy = { ...snapshot, hash: snapshot.hash.slice(), metadata: snapshot.metadata.slice() }
    const entry = { key, snapshot: copy, bytes: size, peers: new Set<string>(), postponed: 0, isAside: false }
    entries.set(key, entry)
    bytes += size
    return entry
  }

  function withdraw(peer: string, { key }: OfferedSnapshot): void {
    const offers = byPeer.get(peer)
    const entry = entries.get(key)
    if (entry === undefined || offers?.keys.delete(key) !== true) return
    offers.bytes -= entry.bytes
    if (offers.keys.size === 0) byPeer.delete(peer)
    entry.peers.delete(peer)
    if (entry.peers.size > 0) return
    entries.delete(key)
    bytes -= entry.bytes
  }

  const offeredBy = (peer: string): OfferedSnapshot[] =>
    [...(byPeer.get(peer)?.keys ?? [])].map((key) => entries.get(key) as OfferedSnapshot)

  const bytesOf = (peer: string): number => byPeer.get(peer)?.bytes ?? 0

  return {
    get: (key) => entries.get(key),
    all: () => entries.values(),
    size: () => entries.size,
    bytes: () => bytes,
    countOf: (peer) => byPeer.get(peer)?.keys.size ?? 0,
    bytesOf,
    isOfferedBy: (peer, key) => byPeer.get(peer)?.keys.has(key) === true,
    add: (peer, offer) => {
      const entry = entries.get(offer.key) ?? addEntry(offer)
      entry.peers.add(peer)
      const offers = byPeer.get(peer) ?? { keys: new Set<string>(), bytes: 0 }
      byPeer.set(peer, offers)
      offers.keys.add(offer.key)
      offers.bytes += entry.bytes
    },
    withdraw,
    remove: (offered) => {
      for (const peer of [...offered.peers]) withdraw(peer, offered)
    },
    removePeer: (peer) => {
      for (const offered of offeredBy(peer)) withdraw(peer, offered)
    },
    makeWay: (limit) => {
      let heaviest = ''
      for (const peer of byPeer.keys()) if (bytesOf(peer) > bytesOf(heaviest)) heaviest = peer
      if (bytesOf(heaviest) <= limit) return false
      let worst: OfferedSnapshot | undefined
      for (const offered of offeredBy(heaviest)) {
        if (worst === undefined || isBetter(worst, offered)) worst = offered
      }
      if (worst !== undefined) withdraw(heaviest, worst)
      return worst !== undefined
    },
  }
}
