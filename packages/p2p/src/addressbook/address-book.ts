import type { Random } from '@org/runtime'
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
import { dropOldest } from '../bounds/index.ts'
import { BUCKETS, createBuckets } from './buckets.ts'
import { createKnownAddress, isBad, type KnownAddress } from './known-address.ts'

/** Below so many addresses the book wants more. */
const WANTED = 1000
const MAX_NEW_BUCKETS_PER_ADDRESS = 4
/** Bans that are remembered, of ids and of addresses each. A node that comes with many ids gets one ban for each id. */
const MAX_BANNED = 10_000
/** Over how many buckets the addresses of one group are spread. */
const SPREAD = { new: 32, old: 4 } as const
/** What `selection` gives: 23 % of the book, at least 32, at most 250 addresses. */
const SELECTION = { percent: 23, min: 32, max: 250 } as const

export interface AddressBookOptions {
  /** Refuses addresses that cannot be reached from everywhere (`addr_book_strict`). */
  readonly strict: boolean
  readonly privateIds: readonly string[]
}

export type AddOutcome =
  | { readonly type: 'added' | 'known' }
  | { readonly type: 'refused'; readonly reason: 'invalid' | 'banned' | 'private' | 'self' | 'unroutable' }

/** The state of a book, as it is saved. */
export interface BookContents {
  /** Random; keeps others from knowing which bucket an address falls into. */
  readonly key: string
  readonly addresses: readonly KnownAddress[]
}

/** What is known of the network: addresses in buckets, so that no group of hosts can fill the book. */
export interface AddressBook {
  readonly size: () => number
  readonly wantsMore: () => boolean
  readonly has: (id: string) => boolean
  readonly isOld: (id: string) => boolean
  readonly isBanned: (id: string) => boolean
  readonly addOwn: (address: NetAddress) => void
  /** Ids that are neither kept nor told, from now on. */
  readonly addPrivateIds: (ids: readonly string[]) => void
  readonly add: (address: NetAddress, source: NetAddress, now: Time) => AddOutcome
  readonly remove: (id: string) => void
  readonly markGood: (id: string, now: Time) => void
  readonly markAttempt: (id: string, now: Time) => void
  /** Bans a known id, with every address of it, until `until`. Only for a fault that the node with this id has made. */
  readonly markBad: (id: string, until: Time) => void
  /**
   * Drops this address of the id, and refuses it until `until`. The id itself may be added with another address: a wrong or
   * dead address says nothing about the node, because anybody may have told of it.
   */
  readonly banAddress: (address: NetAddress, until: Time) => void
  /** Ends the bans that are over. A banned id gets its address back; a banned address may be told of again. */
  readonly reinstate: (now: Time) => void
  /** An address to dial; `bias` 0…100 towards new ones. */
  readonly pick: (bias: number) => NetAddress | undefined
  /** Some addresses to tell a peer; with `bias` 0…100 so many percent new ones. */
  readonly selection: (bias?: number) => readonly NetAddress[]
  readonly contents: () => BookContents
}

export function createAddressBook(options: AddressBookOptions, random: Random, contents?: BookContents): AddressBook {
  const key = contents?.key ?? Array.from(random.bytes(12), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const known = new Map<string, KnownAddress>()
  const banned = new Map<string, KnownAddress>()
  /** By the whole address, `id@ip:port`: when the ban ends. */
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

  /** In the bucket for what `source` tells: an address that several tell of stands in several, and is found more often. */
  function placeNew(entry: KnownAddress, source: NetAddress, now: Time): void {
    const index = newBucket(entry.address, source)
    // Before anything makes room: who repeats what is known must not drive others out.
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

  /** `count` items of the list by chance, or all of them. Draws one number an item that is taken: strangers ask for samples of a large book. */
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
      // The place of a known node is not changed on hearsay: that would let anyone cut us off from it.
      if (entry?.type === 'old' || entry?.buckets.length === MAX_NEW_BUCKETS_PER_ADDRESS) return { type: 'known' }
      // The more often it stands there, the less likely it is to be added once more.
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
