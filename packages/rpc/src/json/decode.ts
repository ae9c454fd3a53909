import { argumentError, type RpcError } from '../errors.ts'
import { type Binary, REPLACEMENT, runeAt, textOfBinary } from './binary.ts'
import { elementsUpTo, visitMembers } from './visit.ts'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'bool' | 'null'

/** The kind of a valid raw value. */
export function kindOf(raw: Binary): JsonKind {
  switch (raw[0]) {
    case '{':
      return 'object'
    case '[':
      return 'array'
    case '"':
      return 'string'
    case 't':
    case 'f':
      return 'bool'
    case 'n':
      return 'null'
    default:
      return 'number'
  }
}

/**
 * Creates the reference's error for a JSON value of the wrong type. `found` is the kind of the value, such as `string`,
 * and `type` is the Go type that is wanted. `into` is a struct field, or `Go value` if Go's error names no field.
 */
export function mismatch(found: string, type: string, into = 'Go value'): RpcError {
  return argumentError(`json: cannot unmarshal ${found} into ${into} of type ${type}`)
}

/**
 * The characters that escapes such as `\n` represent, by the letter after the backslash. Letters and characters are
 * given by their codes. Any other character after a backslash, except `u`, represents itself.
 */
const ESCAPED: ReadonlyMap<number, number> = new Map([
  [98, 8],
  [102, 12],
  [110, 10],
  [114, 13],
  [116, 9],
])

const BACKSLASH = 92
const LETTER_U = 117
/** The number of characters of an escape such as `\u00e9`. */
const UNICODE_ESCAPE = 6

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

function unicodeEscape(body: Binary, at: number): number {
  if (body.charCodeAt(at) !== BACKSLASH || body.charCodeAt(at + 1) !== LETTER_U) return -1
  return Number.parseInt(body.slice(at + 2, at + UNICODE_ESCAPE), 16)
}

/**
 * Returns the text of a string literal that has escapes. `body` is the literal without its quotes. The text never has
 * more UTF-16 units than `body` has bytes.
 */
function unescaped(body: Binary): string {
  const units = new Uint16Array(body.length)
  let count = 0
  for (let at = 0; at < body.length; ) {
    if (body.charCodeAt(at) !== BACKSLASH) {
      const [rune, size] = runeAt(body, at)
      if (rune > 0xffff) {
        units[count++] = 0xd800 + ((rune - 0x10000) >> 10)
        units[count++] = 0xdc00 + ((rune - 0x10000) & 0x3ff)
      } else units[count++] = rune
      at += size
      continue
    }
    const unit = unicodeEscape(body, at)
    if (unit < 0) {
      const code = body.charCodeAt(at + 1)
      units[count++] = ESCAPED.get(code) ?? code
      at += 2
      continue
    }
    at += UNICODE_ESCAPE
    if (!isHighSurrogate(unit) && !isLowSurrogate(unit)) {
      units[count++] = unit
      continue
    }
    const low = isHighSurrogate(unit) ? unicodeEscape(body, at) : -1
    if (isLowSurrogate(low)) {
      units[count++] = unit
      units[count++] = low
      at += UNICODE_ESCAPE
    } else units[count++] = REPLACEMENT
  }
  return Buffer.from(units.buffer, 0, 2 * count).toString('utf16le')
}

/** The text of a valid string literal. Bad UTF-8 and lone surrogates become U+FFFD. */
export function textOf(raw: Binary): string {
  const body = raw.slice(1, -1)
  return body.includes('\\') ? unescaped(body) : textOfBinary(body)
}

/**
 * Returns the maximum length of a string literal whose text is one of these names. In the literal, each character may
 * be written as an escape of six characters. The two quotes count too.
 */
const longestKey = (names: readonly string[]): number =>
  UNICODE_ESCAPE * names.reduce((longest, name) => Math.max(longest, name.length), 0) + 2

/**
 * Returns the members of a JSON object that have one of these names. If several members have the same name, the last
 * one counts. Other members are skipped.
 */
export function mapOf(raw: Binary, names: readonly string[]): ReadonlyMap<string, Binary> {
  const map = new Map<string, Binary>()
  visitMembers(raw, longestKey(names), (rawKey, from, end) => {
    if (rawKey === undefined) return
    const key = textOf(rawKey)
    if (names.includes(key)) map.set(key, raw.slice(from, end))
  })
  return map
}

/**
 * Returns the form in which Go compares a member's name with the names of struct fields. Two names have the same form
 * if Go treats them as equal.
 */
function fold(name: string): string {
  return name
    .replace(/\u017f/g, 's')
    .replace(/\u212a/g, 'k')
    .toLowerCase()
}

/**
 * Reads the members of an object. Returns the members whose key matches a field of a struct, in the order of the
 * object. As in Go, a key also matches a field if they differ only in the case of letters. A key that is too long for
 * every field is not compared. `names` are the names of the fields, in lower case.
 */
export function fieldsOf(raw: Binary, names: readonly string[]): readonly (readonly [name: string, value: Binary])[] {
  const fields: (readonly [string, Binary])[] = []
  visitMembers(raw, longestKey(names), (rawKey, from, end) => {
    if (rawKey === undefined) return
    const key = textOf(rawKey)
    const name = names.includes(key) ? key : fold(key)
    if (names.includes(name)) fields.push([name, raw.slice(from, end)])
  })
  return fields
}

/**
 * The maximum number of items of a list in an argument. The longest list in a valid argument is the list of votes in a
 * commit, which evidence may contain. A commit may have at most this number of votes.
 */
const MAX_LIST_ITEMS = 10_000

/**
 * The items of a valid raw value; `null` is an empty list. A list with too many items is refused before they are read.
 */
export function rawListOf(raw: Binary): readonly Binary[] {
  const kind = kindOf(raw)
  if (kind === 'null') return []
  if (kind !== 'array') throw mismatch(kind, '[]json.RawMessage')
  const items = elementsUpTo(raw, MAX_LIST_ITEMS)
  if (items === undefined) throw argumentError(`a list in an argument has more than ${MAX_LIST_ITEMS} items`)
  return items
}
