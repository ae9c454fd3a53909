import { type Time, ZERO_TIME } from '@org/types/time'
import type { NetAddress } from '../address/index.ts'

/** The address of a node, and its history. The type is `new` at first, and `old` after the node was a good peer. */
export interface KnownAddress {
  readonly address: NetAddress
  /** The peer that sent the address. */
  readonly source: NetAddress
  buckets: readonly number[]
  type: 'new' | 'old'
  attempts: number
  lastAttempt: Time
  lastSuccess: Time
  lastBan: Time
}

const MINUTE = 60_000_000_000n
const DAY = 24n * 60n * MINUTE
/**
 * A new address is bad if this number of nanoseconds has passed since the last attempt to dial it, or since it was
 * added to the book. A bad address should be removed from the book.
 */
const MAX_UNSEEN_TIME = 7n * DAY
/**
 * A new address is bad after a number of failed dials. If its node was never a good peer, the number is
 * `MAX_TRIES_WITHOUT_SUCCESS`. If its node was a good peer, but not in the last week, the number is `MAX_FAILURES`.
 */
const MAX_TRIES_WITHOUT_SUCCESS = 3
const MAX_FAILURES = 10

export function createKnownAddress(address: NetAddress, source: NetAddress, now: Time): KnownAddress {
  return {
    address,
    source,
    buckets: [],
    type: 'new',
    attempts: 0,
    lastAttempt: now,
    lastSuccess: ZERO_TIME,
    lastBan: ZERO_TIME,
  }
}

/**
 * Returns true if the address is bad, which means that it should be removed from the book. An address of the type
 * `old`, and an address that was dialed in the last minute, is never bad.
 */
export function isBad(known: KnownAddress, now: Time): boolean {
  if (known.type === 'old' || known.lastAttempt > now - MINUTE) return false
  if (known.lastAttempt < now - MAX_UNSEEN_TIME) return true
  if (known.lastSuccess === ZERO_TIME && known.attempts >= MAX_TRIES_WITHOUT_SUCCESS) return true
  return known.lastSuccess < now - MAX_UNSEEN_TIME && known.attempts >= MAX_FAILURES
}
