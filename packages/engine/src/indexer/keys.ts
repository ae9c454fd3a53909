import { bytesToUtf8, concatBytes, utf8ToBytes } from '@org/types/bytes'
import { encodeOrdered, OrderedReader } from './ordered-code.ts'

export const TX_HEIGHT_TAG = 'tx.height'
export const TX_HASH_TAG = 'tx.hash'
export const BLOCK_HEIGHT_TAG = 'block.height'

/**
 * The text between a transaction's position and the event number in a key. The event number is at the end of the key.
 */
const SEQUENCE_MARK = '$es$'
const SLASH = 0x2f
const DOLLAR = 0x24

// The keys for transactions are texts, and slashes separate the parts of a key. The value of such a key is the
// transaction's hash. The transaction's record is stored under a separate key, which is the hash.

/**
 * Returns the common prefix of all keys in which the tag and a slash are followed by `path`. For example, `path` is a
 * value and a slash, or a value, a slash, a height and a slash. A longer value of the attribute may begin with the same
 * text, because values may contain slashes. So a search for exactly one value must check the value in each key.
 */
export function txValuePrefix(tag: string, path: string): Uint8Array {
  return utf8ToBytes(`${tag}/${path}`)
}

export interface TxPosition {
  readonly height: number
  readonly index: number
}

/**
 * Returns the part of a key between the value and the event number. This part contains the position of the transaction.
 */
export function txKeyEnd({ height, index }: TxPosition): string {
  return `/${height}/${index}${SEQUENCE_MARK}`
}

export function txEventKeyPrefix(tag: string, value: string, position: TxPosition): string {
  return `${tag}/${value}${txKeyEnd(position)}`
}

export function txHeightKeyText(position: TxPosition): string {
  return `${txEventKeyPrefix(TX_HEIGHT_TAG, String(position.height), position)}0`
}

/**
 * Returns the two keys under which the height of a transaction may be stored. This version writes the first key. Old
 * nodes wrote the second key, which has no event number.
 */
export function txHeightKeys(position: TxPosition): readonly [now: Uint8Array, old: Uint8Array] {
  const key = txEventKeyPrefix(TX_HEIGHT_TAG, String(position.height), position)
  return [utf8ToBytes(`${key}0`), utf8ToBytes(key.slice(0, -SEQUENCE_MARK.length))]
}

export interface TxKey extends TxPosition {
  readonly sequence: number
  /** The position in the key at which the value ends. */
  readonly valueEnd: number
}

function digits(key: Uint8Array, from: number, to: number): number | undefined {
  if (from >= to) return undefined
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = (key[i] as number) - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/**
 * Parses the last parts of a transaction's key. Returns `undefined` for any other key. Keys of old nodes contain no
 * event number; for such a key, `sequence` is 0.
 */
export function parseTxKey(key: Uint8Array): TxKey | undefined {
  const last = key.lastIndexOf(SLASH)
  const before = last <= 0 ? -1 : key.lastIndexOf(SLASH, last - 1)
  if (before < 0) return undefined
  const height = digits(key, before + 1, last)
  if (height === undefined) return undefined
  const mark = key.indexOf(DOLLAR, last + 1)
  const index = digits(key, last + 1, mark < 0 ? key.length : mark)
  if (index === undefined) return undefined
  const sequence = mark < 0 ? 0 : digits(key, mark + SEQUENCE_MARK.length, key.length)
  return sequence === undefined ? undefined : { height, index, sequence, valueEnd: before }
}

function digitsOfText(key: string, from: number, to: number): number {
  if (from >= to) return -1
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = key.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/**
 * Returns the position of the last slash before `end`, or -1. This slash is only a few characters before `end`, so a
 * loop is faster than `lastIndexOf`.
 */
function slashBefore(key: string, end: number): number {
  let at = end - 1
  while (at >= 0 && key.charCodeAt(at) !== SLASH) at--
  return at
}

/**
 * Does the same as {@link parseTxKey} for a key that is given as text. Its `valueEnd` counts characters instead of
 * bytes.
 */
export function parseTxKeyText(key: string): TxKey | undefined {
  const last = slashBefore(key, key.length)
  const before = slashBefore(key, last)
  if (before < 0) return undefined
  let mark = last + 1
  while (mark < key.length && key.charCodeAt(mark) !== DOLLAR) mark++
  const height = digitsOfText(key, before + 1, last)
  const index = digitsOfText(key, last + 1, mark)
  const sequence = mark === key.length ? 0 : digitsOfText(key, mark + SEQUENCE_MARK.length, key.length)
  if (height < 0 || index < 0 || sequence < 0) return undefined
  return { height, index, sequence, valueEnd: before }
}

/** Returns the value of the attribute, which is a part of a transaction's index key. */
export function txKeyValue(key: Uint8Array, { valueEnd }: TxKey): string {
  const first = key.indexOf(SLASH)
  return first >= valueEnd ? '' : bytesToUtf8(key.subarray(first + 1, valueEnd))
}

/** Returns the value of the attribute, which is a part of a transaction's index key. The key is given as text. */
export function txKeyTextValue(key: string, { valueEnd }: TxKey): string {
  const first = key.indexOf('/')
  return first >= valueEnd ? '' : key.slice(first + 1, valueEnd)
}

// The keys for blocks consist of a prefix and a text that `encodeOrdered` made. The prefix is needed because the keys
// for transactions are in the same database.

const BLOCK_PREFIX = utf8ToBytes('block_events')

export function blockKey(...items: readonly (string | number)[]): Uint8Array {
  return concatBytes(BLOCK_PREFIX, encodeOrdered(...items))
}

export function blockHeightKey(height: number): Uint8Array {
  return blockKey(BLOCK_HEIGHT_TAG, height)
}

export interface BlockKey {
  readonly tag: string
  readonly value: string
  readonly height: number
  readonly sequence: number
}

/** Parses the key of a block event. Returns `undefined` for any other key, such as the key of the height itself. */
export function parseBlockKey(key: Uint8Array): BlockKey | undefined {
  const reader = new OrderedReader(key, BLOCK_PREFIX.length)
  const tag = reader.string()
  const value = tag === undefined ? undefined : reader.string()
  const height = value === undefined ? undefined : reader.integer()
  if (tag === undefined || value === undefined || height === undefined) return undefined
  return { tag, value, height, sequence: parseSequence(key, reader.at) }
}

/** Returns the height in a key that {@link blockHeightKey} made. */
export function parseBlockHeightKey(key: Uint8Array): number | undefined {
  const reader = new OrderedReader(key, BLOCK_PREFIX.length)
  if (reader.string() === undefined) return undefined
  const height = reader.integer()
  return reader.done ? height : undefined
}

/**
 * Returns the event number at the end of a key, or 0 if the key has no event number. In keys of the reference, the last
 * part is only this number. In keys of older versions of the reference, the last part is a text, the source of the
 * event, and a number may follow the text. Then the text is skipped.
 */
function parseSequence(key: Uint8Array, at: number): number {
  const origin = new OrderedReader(key, at)
  if (origin.string() === undefined) origin.at = at
  const sequence = origin.integer()
  return sequence !== undefined && origin.done ? sequence : 0
}
