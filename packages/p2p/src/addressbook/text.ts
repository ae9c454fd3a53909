import { messageOf } from '@org/runtime'
import { isJsonObject, type Json, type JsonObject } from '@org/types/schema'
import { formatTime, parseTime, ZERO_TIME } from '@org/types/time'
import { canonicalIp, type NetAddress } from '../address/index.ts'
import type { BookContents } from './address-book.ts'
import { AddressBookError, BOOK_ERRORS } from './errors.ts'
import type { KnownAddress } from './known-address.ts'

/** The number that represents each type of bucket in the reference's file. */
const TYPES = { new: 1, old: 2 } as const
const MAX_ADDRESSES = 100_000

function toJson(entry: KnownAddress): JsonObject {
  return {
    addr: { ...entry.address },
    src: { ...entry.source },
    buckets: entry.buckets,
    attempts: entry.attempts,
    bucket_type: TYPES[entry.type],
    last_attempt: formatTime(entry.lastAttempt),
    last_success: formatTime(entry.lastSuccess),
    last_ban_time: formatTime(entry.lastBan),
  }
}

function addressFromJson(json: Json | undefined): NetAddress | undefined {
  if (!isJsonObject(json)) return undefined
  const { id, ip: text, port } = json
  const ip = typeof text === 'string' ? canonicalIp(text) : undefined
  return typeof id === 'string' && ip !== undefined && typeof port === 'number' ? { id, ip, port } : undefined
}

function fromJson(json: Json): KnownAddress | undefined {
  if (!isJsonObject(json)) return undefined
  const [address, source] = [addressFromJson(json.addr), addressFromJson(json.src)]
  if (address === undefined || source === undefined) return undefined
  const time = (value: Json | undefined): bigint =>
    (typeof value === 'string' ? parseTime(value) : undefined) ?? ZERO_TIME
  return {
    address,
    source,
    buckets: Array.isArray(json.buckets)
      ? json.buckets.filter((index): index is number => Number.isInteger(index))
      : [],
    type: json.bucket_type === TYPES.old ? 'old' : 'new',
    attempts: typeof json.attempts === 'number' ? json.attempts : 0,
    lastAttempt: time(json.last_attempt),
    lastSuccess: time(json.last_success),
    lastBan: time(json.last_ban_time),
  }
}

/** Reads an address book in the reference's form. Throws `ADDRESS_BOOK_FILE` for any other text. */
export function parseAddressBook(text: string): BookContents {
  let json: Json
  try {
    json = JSON.parse(text) as Json
  } catch (cause) {
    throw new AddressBookError(BOOK_ERRORS.file, messageOf(cause), { cause })
  }
  const entries = isJsonObject(json) && (json.addrs === null ? [] : json.addrs)
  if (
    !isJsonObject(json) ||
    typeof json.key !== 'string' ||
    !Array.isArray(entries) ||
    entries.length > MAX_ADDRESSES
  ) {
    throw new AddressBookError(BOOK_ERRORS.file, 'the content is not an address book')
  }
  const addresses = entries.map((entry: Json) => fromJson(entry))
  if (addresses.includes(undefined))
    throw new AddressBookError(BOOK_ERRORS.file, 'the file contains an invalid address')
  return { key: json.key, addresses: addresses as KnownAddress[] }
}

/** Returns the text of an address book, in the reference's form. */
export function addressBookText({ key, addresses }: BookContents): string {
  return JSON.stringify({ key, addrs: addresses.map(toJson) }, null, '\t')
}
