import type { Random } from '@org/runtime'
import { dropOldest } from '@org/runtime'
import type { Time } from '@org/types/time'
import { addressFault, equalAddresses, formatNetAddress, isRoutable, type NetAddress } from '../address/index.ts'
import { createKnownAddress, type KnownAddress } from './known-address.ts'
import { createKnownAddresses } from './known-addresses.ts'
import { selectAddresses } from './selection.ts'

/** If the book has fewer addresses than this, the node requests more addresses from peers. */
const WANTED = 1000
const MAX_NEW_BUCKETS_PER_ADDRESS = 4
/**
 * The maximum number of bans of ids that the book keeps, and also the maximum number of bans of addresses. The limit is
 * needed because a node that connects with many ids gets one ban per id.
 */
const MAX_BANNED = 10_000

/**
 * The rules of the address book: which addresses it accepts, and the ids of nodes whose addresses it never stores.
 */
export interface AddressBookOptions {
  /** True if the book refuses addresses that cannot be reached from everywhere (`addr_book_strict`). */
  readonly strict: boolean
  readonly privateIds: readonly string[]
}

export type AddOutcome =
  | { readonly type: 'added' | 'known' }
  | { readonly type: 'refused'; readonly reason: 'invalid' | 'banned' | 'private' | 'self' | 'unroutable' }

/** The saved state of a book. */
export interface BookContents {
  /** A random key, so that no peer can compute the bucket of an address. */
  readonly key: string
  readonly addresses: readonly KnownAddress[]
}

/** A collection of addresses of nodes. The addresses are in buckets, so that no group of hosts can fill the book. */
export interface AddressBook {
  readonly size: () => number
  readonly wantsMore: () => boolean
  readonly has: (id: string) => boolean
  readonly isOld: (id: string) => boolean
  readonly isBanned: (id: string) => boolean
  readonly addOwn: (address: NetAddress) => void
  /** Adds private ids. From now on the book refuses the addresses of these ids. */
  readonly addPrivateIds: (ids: readonly string[]) => void
  readonly add: (address: NetAddress, source: NetAddress, now: Time) => AddOutcome
  readonly remove: (id: string) => void
  readonly markGood: (id: string, now: Time) => void
  readonly markAttempt: (id: string, now: Time) => void
  /**
   * Removes the address of a known id, and bans the id until `until`. Call this method only if the node that made the
   * fault has proven that the id is its own.
   */
  readonly markBad: (id: string, until: Time) => void
  /**
   * Removes this address of the id, and refuses this address until `until`. The id itself is not banned, because any
   * peer may have sent a wrong or dead address for it. The id may be added again with another address.
   */
  readonly banAddress: (address: NetAddress, until: Time) => void
  /**
   * Ends all bans whose time is over. After a ban of an id (`markBad`), the address of the id is put back into the
   * book. After a ban of an address (`banAddress`), the address is not put back, but may be added again.
   */
  readonly reinstate: (now: Time) => void
  /** Chooses an address to dial. A high `bias` (0 to 100) prefers new addresses. */
  readonly pick: (bias: number) => NetAddress | undefined
  /** Chooses some addresses to send to a peer. `bias` (0 to 100) is the percentage of new addresses. */
  readonly selection: (bias?: number) => readonly NetAddress[]
  readonly contents: () => BookContents
}

/** Creates an address book with the `contents` of a file, or an empty one. */
export function createAddressBook(options: AddressBookOptions, random: Random, contents?: BookContents): AddressBook {
  const key = contents?.key ?? Array.from(random.bytes(12), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const known = createKnownAddresses({ key, strict: options.strict })
  const banned = new Map<string, KnownAddress>()
  /** For each banned address: the end of the ban. The key is the text `id@ip:port` of the address. */
  const bannedAddresses = new Map<string, Time>()
  const ownIds = new Set<string>()
  const privateIds = new Set(options.privateIds)

  for (const entry of contents?.addresses ?? []) known.restore(entry)

  function refusal(
    address: NetAddress,
    source: NetAddress,
    now: Time,
  ): Extract<AddOutcome, { type: 'refused' }>['reason'] | undefined {
    if (addressFault(address) !== undefined) return 'invalid'
    if (banned.has(address.id) || (bannedAddresses.get(formatNetAddress(address)) ?? now) > now) return 'banned'
    if (privateIds.has(address.id) || privateIds.has(source.id)) return 'private'
    if (ownIds.has(address.id)) return 'self'
    return options.strict && !isRoutable(address) ? 'unroutable' : undefined
  }

  return {
    size: known.size,
    wantsMore: () => known.size() < WANTED,
    has: (id) => known.get(id) !== undefined,
    isOld: (id) => known.get(id)?.type === 'old',
    isBanned: (id) => banned.has(id),
    addOwn: (address) => void ownIds.add(address.id),
    addPrivateIds: (ids) => {
      for (const id of ids) privateIds.add(id)
    },
    add: (address, source, now) => {
      const reason = refusal(address, source, now)
      if (reason !== undefined) return { type: 'refused', reason }
      const entry = known.get(address.id)
      // If the book has an address for an id, the book keeps this address. Otherwise any peer could replace it with a
      // false address, and this node could no longer dial the node with that id.
      if (entry?.type === 'old' || entry?.buckets.length === MAX_NEW_BUCKETS_PER_ADDRESS) return { type: 'known' }
      // An address that is in many buckets already is less often added to a further bucket.
      if (entry !== undefined && random.below(2 * entry.buckets.length) !== 0) return { type: 'known' }
      known.placeNew(entry ?? createKnownAddress(address, source, now), source, now)
      return { type: 'added' }
    },
    remove: known.remove,
    markGood: (id, now) => {
      const entry = known.get(id)
      if (entry === undefined) return
      Object.assign(entry, { lastAttempt: now, lastSuccess: now, attempts: 0 })
      if (entry.type === 'new') known.promote(entry, now)
    },
    markAttempt: (id, now) => {
      const entry = known.get(id)
      if (entry !== undefined) Object.assign(entry, { lastAttempt: now, attempts: entry.attempts + 1 })
    },
    markBad: (id, until) => {
      const entry = known.get(id)
      if (entry === undefined) return
      entry.lastBan = until
      known.remove(id)
      banned.set(id, entry)
      dropOldest(banned, MAX_BANNED)
    },
    banAddress: (address, until) => {
      const entry = known.get(address.id)
      if (entry !== undefined && equalAddresses(entry.address, address)) known.remove(address.id)
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
        known.placeNew(entry, entry.source, now)
      }
    },
    pick: (bias) => known.pick(bias, random),
    selection: (bias) => selectAddresses(known.all(), random, bias),
    contents: () => ({ key, addresses: known.all() }),
  }
}
