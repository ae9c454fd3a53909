import { argumentError, type RpcError } from '../errors.ts'
import { type Binary, runeAt, textOfBinary } from './binary.ts'
import { elementsOf, membersOf, scanWhole } from './scan.ts'

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

/** The reference's words for a value of the wrong type. `into`: `Go value`, or the struct field that it was for. */
export function mismatch(found: string, type: string, into = 'Go value'): RpcError {
  return argumentError(`json: cannot unmarshal ${found} into ${into} of type ${type}`)
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unicodeEscape(body: Binary, at: number): number {
  return body[at] === '\\' && body[at + 1] === 'u' ? Number.parseInt(body.slice(at + 2, at + 6), 16) : -1
}

/** The text of a valid string literal. Bad UTF-8 and lone surrogates become U+FFFD. */
export function textOf(raw: Binary): string {
  const body = raw.slice(1, -1)
  if (!body.includes('\\')) return textOfBinary(body)
  let text = ''
  for (let at = 0; at < body.length; ) {
    if (body[at] !== '\\') {
      const [rune, size] = runeAt(body, at)
      text += String.fromCodePoint(rune)
      at += size
      continue
    }
    const high = unicodeEscape(body, at)
    if (high < 0) {
      const code = body[at + 1] as string
      text += ESCAPED[code] ?? code
      at += 2
      continue
    }
    at += 6
    if (high < 0xd800 || high > 0xdfff) {
      text += String.fromCharCode(high)
      continue
    }
    const low = unicodeEscape(body, at)
    if (high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff) {
      text += String.fromCharCode(high, low)
      at += 6
    } else {
      text += '\ufffd'
    }
  }
  return text
}

/** The members of a JSON object, each key with its last value, as a Go map of raw messages. */
export function mapOf(raw: Binary): ReadonlyMap<string, Binary> {
  const map = new Map<string, Binary>()
  for (const [key, value] of membersOf(raw)) map.set(textOf(key), value)
  return map
}

/** Letters that Go takes for the same when it looks for a struct field. */
function fold(name: string): string {
  return name
    .replace(/\u017f/g, 's')
    .replace(/\u212a/g, 'k')
    .toLowerCase()
}

/**
 * The members of an object that go into a struct with these fields, in order: a key that fits no field exactly may fit one
 * without regard to case.
 */
export function fieldsOf(raw: Binary, names: readonly string[]): readonly (readonly [name: string, value: Binary])[] {
  const fields: (readonly [string, Binary])[] = []
  for (const [rawKey, value] of membersOf(raw)) {
    const key = textOf(rawKey)
    const name = names.includes(key) ? key : names.find((other) => fold(other) === fold(key))
    if (name !== undefined) fields.push([name, value])
  }
  return fields
}

/** A list of raw values; `null` is an empty one. */
export function rawListOf(text: Binary): readonly Binary[] {
  const raw = scanWhole(text)
  const kind = kindOf(raw)
  if (kind === 'null') return []
  if (kind !== 'array') throw mismatch(kind, '[]json.RawMessage')
  return elementsOf(raw)
}
