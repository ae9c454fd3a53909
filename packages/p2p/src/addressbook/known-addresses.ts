import type { Random } from '@org/runtime'
import { concatList, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import { addressGroup, formatNetAddress, type NetAddress } from '../address/index.ts'
import { BUCKETS, createBuckets } from './buckets.ts'
import { isBad, type KnownAddress } from './known-address.ts'

/**
 * The maximum numbers of buckets for one group (see {@link addressGroup}). `new`: the addresses that the sources of one
 * group sent are in at most this number of buckets. `old`: the good addresses that belong to one group are in at most
 * this number of buckets.
 */
const SPREAD = { new: 32, old: 4 } as const

/** The known addresses by id, and the buckets that contain them. */
export interface KnownAddresses {
  readonly size: () => number
  readonly get: (id: string) => KnownAddress | undefined
  readonly all: () => readonly KnownAddress[]
  /** Puts a saved address back into its buckets. */
  readonly restore: (entry: KnownAddress) => void
  /**
   * Puts the entry into a bucket of new addresses. The groups of the address and of `source` determine the bucket. An
   * address from several sources is in several buckets, and is chosen more often.
   */
  readonly placeNew: (entry: KnownAddress, source: NetAddress, now: Time) => void
  /** Moves the entry to the buckets of old addresses, because its node was a good peer. */
  readonly promote: (entry: KnownAddress, now: Time) => void
  readonly remove: (id: string) => void
  /** Chooses an address at random. A high `bias` (0 to 100) prefers new addresses. */
  readonly pick: (bias: number, random: Random) => NetAddress | undefined
}

/**
 * Creates an empty collection of addresses. `key` determines the bucket of an address. `strict` chooses how addresses
 * are grouped (see {@link addressGroup}).
 */
export function createKnownAddresses({
  key,
  strict,
}: {
  readonly key: string
  readonly strict: boolean
}): KnownAddresses {
  const known = new Map<string, KnownAddress>()
  const buckets = createBuckets()

  const hash = (...parts: readonly string[]): number => {
    const digest = sha256(concatList([key, ...parts].map(utf8ToBytes)))
    return new DataView(digest.buffer, digest.byteOffset).getUint32(0)
  }
  const groupOf = (address: NetAddress): string => addressGroup(address, strict)
  const newBucket = (address: NetAddress, source: NetAddress): number => {
    const spread = hash(groupOf(address), groupOf(source)) % SPREAD.new
    return hash(groupOf(source), String(spread)) % BUCKETS.new
  }
  const oldBucket = (address: NetAddress): number => {
    const spread = hash(formatNetAddress(address)) % SPREAD.old
    return hash(groupOf(address), String(spread)) % BUCKETS.old
  }

  const oldest = (kind: 'new' | 'old', index: number): KnownAddress | undefined =>
    buckets
      .members(kind, index)
      .reduce<KnownAddress | undefined>(
        (best, entry) => (best && best.lastAttempt <= entry.lastAttempt ? best : entry),
        undefined,
      )

  function evict(entry: KnownAddress | undefined, index: number): void {
    if (entry !== undefined && buckets.remove(entry, index)) known.delete(entry.address.id)
  }

  function placeNew(entry: KnownAddress, source: NetAddress, now: Time): void {
    const index = newBucket(entry.address, source)
    // If the bucket has the address already, nothing changes. Without this check, a peer that repeats an address would
    // make a full bucket evict another address each time.
    if (entry.buckets.includes(index)) return
    if (buckets.isFull('new', index)) {
      evict(buckets.members('new', index).find((other) => isBad(other, now)) ?? oldest('new', index), index)
    }
    buckets.add(entry, index)
    known.set(entry.address.id, entry)
  }

  function promote(entry: KnownAddress, now: Time): void {
    buckets.removeAll(entry)
    entry.type = 'old'
    const index = oldBucket(entry.address)
    if (buckets.isFull('old', index)) {
      const demoted = oldest('old', index)
      evict(demoted, index)
      if (demoted !== undefined) {
        demoted.type = 'new'
        placeNew(demoted, demoted.source, now)
      }
    }
    buckets.add(entry, index)
    known.set(entry.address.id, entry)
  }

  return {
    size: () => known.size,
    get: (id) => known.get(id),
    all: () => [...known.values()],
    restore: (entry) => {
      const places = entry.buckets.filter((index) => index >= 0 && index < BUCKETS[entry.type])
      entry.buckets = []
      for (const index of places) buckets.add(entry, index)
      if (places.length > 0) known.set(entry.address.id, entry)
    },
    placeNew,
    promote,
    remove: (id) => {
      const entry = known.get(id)
      if (entry === undefined) return
      buckets.removeAll(entry)
      known.delete(id)
    },
    pick: (bias, random) => {
      const [ofNew, ofOld] = [buckets.count('new'), buckets.count('old')]
      if (ofNew + ofOld === 0) return undefined
      const share = Math.min(100, Math.max(0, bias))
      const [newWeight, oldWeight] = [Math.sqrt(ofNew) * share, Math.sqrt(ofOld) * (100 - share)]
      const kind = ((newWeight + oldWeight) * random.below(2 ** 32)) / 2 ** 32 < oldWeight ? 'old' : 'new'
      if (buckets.count(kind) === 0) return undefined
      for (;;) {
        const members = buckets.members(kind, random.below(BUCKETS[kind]))
        if (members.length > 0) return members[random.below(members.length)]?.address
      }
    },
  }
}
