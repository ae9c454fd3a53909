import type { Random } from '@org/runtime'
import { dropOldest } from '@org/runtime'
import { concatList, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import {
  addressFault,
  addressGroup,
  equalAddresses,
  formatNetAddress,
  isRoutable,
  type NetAddress,
} from '../address/index.ts'
import { BUCKETS, createBuckets } from './buckets.ts'
import { createKnownAddress, isBad, type KnownAddress } from './known-address.ts'

/** The book asks for addresses while it has fewer than this. */
const WANTED = 1000
const MAX_NEW_BUCKETS_PER_ADDRESS = 4
/** The most remembered bans, of ids and of addresses each. A node that appears with many ids gets one ban per id. */
const MAX_BANNED = 10_000
/** The number of buckets over which the addresses of one group are spread. */
const SPREAD = { new: 32, old: 4 } as const
/** The size of a `selection`: 23 % of the book, at least 32, at most 250 addresses. */
const SELECTION = { percent: 23, min: 32, max: 250 } as const

export interface AddressBookOptions {
  /** Refuses addresses that cannot be reached from everywhere (`addr_book_strict`). */
  readonly strict: boolean
  readonly privateIds: readonly string[]
}

export type AddOutcome =
  | { readonly type: 'added' | 'known' }
  | { readonly type: 'refused'; readonly reason: 'invalid' | 'banned' | 'private' | 'self' | 'unroutable' }

/** The saved state of a book. */
export interface BookContents {
  /** A random key, so that strangers cannot compute the bucket of an address. */
  readonly key: string
  readonly addresses: readonly KnownAddress[]
}

/** The known addresses of the network, in buckets, so that no group of hosts can fill the book. */
export interface AddressBook {
  readonly size: () => number
  readonly wantsMore: () => boolean
  readonly has: (id: string) => boolean
  readonly isOld: (id: string) => boolean
  readonly isBanned: (id: string) => boolean
  readonly addOwn: (address: NetAddress) => void
  /** Adds ids that the book neither keeps nor sends to peers, from now on. */
  readonly addPrivateIds: (ids: readonly string[]) => void
  readonly add: (address: NetAddress, source: NetAddress, now: Time) => AddOutcome
  readonly remove: (id: string) => void
  readonly markGood: (id: string, now: Time) => void
  readonly markAttempt: (id: string, now: Time) => void
  /** Bans a known id, with all its addresses, until `until`. Only for a fault of the node with this id. */
  readonly markBad: (id: string, until: Time) => void
  /**
   * Removes this address of the id, and refuses it until `until`. The id may be added again with another address: a
   * wrong or dead address proves nothing about the node, because any peer may have sent it.
   */
  readonly banAddress: (address: NetAddress, until: Time) => void
  /** Ends the bans that have expired. A banned id gets its address back; a banned address may be added again. */
  readonly reinstate: (now: Time) => void
  /** Chooses an address to dial; `bias` 0…100 prefers new ones. */
  readonly pick: (bias: number) => NetAddress | undefined
  /** Chooses some addresses to send to a peer; `bias` 0…100 is the percentage of new ones. */
  readonly selection: (bias?: number) => readonly NetAddress[]
  readonly contents: () => BookContents
}

export function createAddressBook(options: AddressBookOptions, random: Random, contents?: BookContents): AddressBook {
  const key = contents?.key ?? Array.from(random.bytes(12), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const known = new Map<string, KnownAddress>()
  const banned = new Map<string, KnownAddress>()
  /** The end of the ban by whole address, `id@ip:port`. */
  const bannedAddresses = new Map<string, Time>()
  const own = new Set<string>()
  const privateIds = new Set(options.privateIds)
  const buckets = createBuckets()

  const hash = (...parts: readonly string[]): number => {
    const digest = sha256(concatList([key, ...parts].map(utf8ToBytes)))
    return new DataView(digest.buffer, digest.byteOffset).getUint32(0)
  }
  const groupOf = (address: NetAddress): string => addressGroup(address, options.strict)
  const newBucket = (address: NetAddress, source: NetAddress): number => {
    const spread = hash(groupOf(address), groupOf(source)) % SPREAD.new
    return hash(groupOf(source), String(spread)) % BUCKETS.new
  }
  const oldBucket = (address: NetAddress): number => {
    const spread = hash(formatNetAddress(address)) % SPREAD.old
    return hash(groupOf(address), String(spread)) % BUCKETS.old
  }

  for (const entry of contents?.addresses ?? []) {
    const places = entry.buckets.filter((index) => index >= 0 && index < BUCKETS[entry.type])
    entry.buckets = []
    for (const index of places) buckets.add(entry, index)
    if (places.length > 0) known.set(entry.address.id, entry)
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

  /**
   * Puts the entry into the bucket for addresses from `source`. An address from several sources is in several
   * buckets, and is chosen more often.
   */
  function placeNew(entry: KnownAddress, source: NetAddress, now: Time): void {
    const index = newBucket(entry.address, source)
    // Checked before room is made: a repeated address must not replace other addresses.
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

  function refusal(
    address: NetAddress,
    source: NetAddress,
    now: Time,
  ): Extract<AddOutcome, { type: 'refused' }>['reason'] | undefined {
    if (addressFault(address) !== undefined) return 'invalid'
    if (banned.has(address.id) || (bannedAddresses.get(formatNetAddress(address)) ?? now) > now) return 'banned'
    if (privateIds.has(address.id) || privateIds.has(source.id)) return 'private'
    if (own.has(address.id)) return 'self'
    return options.strict && !isRoutable(address) ? 'unroutable' : undefined
  }

  function remove(id: string): void {
    const entry = known.get(id)
    if (entry === undefined) return
    buckets.removeAll(entry)
    known.delete(id)
  }

  /**
   * Chooses `count` items of the list at random, or all of them. It draws one number per chosen item: strangers
   * request samples of a large book.
   */
  function sample(list: readonly KnownAddress[], count: number): NetAddress[] {
    const copy = [...list]
    const taken = Math.min(count, copy.length)
    for (let i = 0; i < taken; i++) {
      const j = i + random.below(copy.length - i)
      const swap = copy[i] as KnownAddress
      copy[i] = copy[j] as KnownAddress
      copy[j] = swap
    }
    return copy.slice(0, taken).map(({ address }) => address)
  }

  return {
    size: () => known.size,
    wantsMore: () => known.size < WANTED,
    has: (id) => known.has(id),
    isOld: (id) => known.get(id)?.type === 'old',
    isBanned: (id) => banned.has(id),
    addOwn: (address) => void own.add(address.id),
    addPrivateIds: (ids) => {
      for (const id of ids) privateIds.add(id)
    },
    add: (address, source, now) => {
      const reason = refusal(address, source, now)
      if (reason !== undefined) return { type: 'refused', reason }
      const entry = known.get(address.id)
      // A report does not change the address of a known node: otherwise any peer could separate us from it.
      if (entry?.type === 'old' || entry?.buckets.length === MAX_NEW_BUCKETS_PER_ADDRESS) return { type: 'known' }
      // The more buckets have the address, the less likely it is added to another.
      if (entry !== undefined && random.below(2 * entry.buckets.length) !== 0) return { type: 'known' }
      placeNew(entry ?? createKnownAddress(address, source, now), source, now)
      return { type: 'added' }
    },
    remove,
    markGood: (id, now) => {
      const entry = known.get(id)
      if (entry === undefined) return
      Object.assign(entry, { lastAttempt: now, lastSuccess: now, attempts: 0 })
      if (entry.type === 'new') promote(entry, now)
    },
    markAttempt: (id, now) => {
      const entry = known.get(id)
      if (entry !== undefined) Object.assign(entry, { lastAttempt: now, attempts: entry.attempts + 1 })
    },
    markBad: (id, until) => {
      const entry = known.get(id)
      if (entry === undefined) return
      entry.lastBan = until
      remove(id)
      banned.set(id, entry)
      dropOldest(banned, MAX_BANNED)
    },
    banAddress: (address, until) => {
      const entry = known.get(address.id)
      if (entry !== undefined && equalAddresses(entry.address, address)) remove(address.id)
      const key = formatNetAddress(address)
      bannedAddresses.delete(key)
      bannedAddresses.set(key, until)
      dropOldest(bannedAddresses, MAX_BANNED)
    },
    reinstate: (now) => {
      for (const [key, until] of bannedAddresses) if (until <= now) bannedAddresses.delete(key)
      for (const [id, entry] of banned) {
        if (entry.lastBan > now) continue
        banned.delete(id)
        entry.type = 'new'
        placeNew(entry, entry.source, now)
      }
    },
    pick: (bias) => {
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
    selection: (bias) => {
      const all = [...known.values()]
      const share = Math.floor((all.length * SELECTION.percent) / 100)
      const count = Math.min(SELECTION.max, Math.max(Math.min(SELECTION.min, all.length), share))
      if (bias === undefined) return sample(all, count)
      const old = all.filter(({ type }) => type === 'old')
      const wanted = Math.round((Math.min(100, Math.max(0, bias)) / 100) * count)
      const newOnes = all.filter(({ type }) => type === 'new')
      const chosen = sample(newOnes, Math.max(wanted, count - old.length))
      return [...chosen, ...sample(old, count - chosen.length)]
    },
    contents: () => ({ key, addresses: [...known.values()] }),
  }
}
