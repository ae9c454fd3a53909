import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { Binary } from './binary.ts'
import { quoteByte } from './quote.ts'

/** The deepest nesting of containers, as in Go. */
const MAX_DEPTH = 10_000

const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const COLON = 58
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
/**
 * Matches the characters of a string up to its end, the first escape, or an invalid character. This is many times
 * faster than a loop.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a string may not hold.
const PLAIN = /[^"\\\x00-\x1f]*/y

/** Invalid JSON, with Go's error message. `ended`: the text ends too early. */
export class JsonSyntaxError extends RpcError {
  readonly ended: boolean

  constructor(message: string, ended = false) {
    super(RPC_ERRORS.syntax, message)
    this.ended = ended
  }
}

const INSIDE_TOKEN = /^(in (string escape|\\u hex|numeric|exponent|literal)|after decimal)/

function bad(text: Binary, at: number, context: string): JsonSyntaxError {
  if (at >= text.length) {
    // Go reads a space after the end of the text. If the text ends inside a token, Go reports that space.
    const minded = INSIDE_TOKEN.test(context) ? `invalid character ' ' ${context}` : 'unexpected end of JSON input'
    return new JsonSyntaxError(minded, true)
  }
  return new JsonSyntaxError(`invalid character ${quoteByte(text.charCodeAt(at))} ${context}`)
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isHexDigit = (code: number): boolean => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

function skipSpace(text: Binary, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
    at++
  }
}

function scanEscape(text: Binary, at: number): number {
  const code = text[at]
  if (code !== undefined && 'bfnrt\\/"'.includes(code)) return at + 1
  if (code !== 'u') throw bad(text, at, 'in string escape code')
  for (let i = at + 1; i <= at + 4; i++) {
    if (!isHexDigit(text.charCodeAt(i))) throw bad(text, i, 'in \\u hexadecimal character escape')
  }
  return at + 5
}

/** Scans from the opening quote, and returns the position after the closing quote. */
function scanString(text: Binary, from: number): number {
  let at = from + 1
  for (;;) {
    PLAIN.lastIndex = at
    PLAIN.test(text)
    at = PLAIN.lastIndex
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code !== BACKSLASH) throw bad(text, at, 'in string literal')
    at = scanEscape(text, at + 1)
  }
}

function scanDigits(text: Binary, at: number, context: string): number {
  if (!isDigit(text.charCodeAt(at))) throw bad(text, at, context)
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

function scanNumber(text: Binary, at: number): number {
  if (text[at] === '-') at++
  if (text[at] === '0') at++
  else at = scanDigits(text, at, 'in numeric literal')
  if (text[at] === '.') at = scanDigits(text, at + 1, 'after decimal point in numeric literal')
  if (text[at] === 'e' || text[at] === 'E') {
    at++
    if (text[at] === '+' || text[at] === '-') at++
    at = scanDigits(text, at, 'in exponent of numeric literal')
  }
  return at
}

function scanLiteral(text: Binary, from: number, literal: string): number {
  for (let i = 1; i < literal.length; i++) {
    if (text[from + i] !== literal[i])
      throw bad(text, from + i, `in literal ${literal} (expecting ${quoteByte(literal.charCodeAt(i))})`)
  }
  return from + literal.length
}

function scanScalar(text: Binary, at: number): number {
  switch (text[at]) {
    case '"':
      return scanString(text, at)
    case 't':
      return scanLiteral(text, at, 'true')
    case 'f':
      return scanLiteral(text, at, 'false')
    case 'n':
      return scanLiteral(text, at, 'null')
    default:
      if (text[at] === '-' || isDigit(text.charCodeAt(at))) return scanNumber(text, at)
      throw bad(text, at, 'looking for beginning of value')
  }
}

/** Scans a key and its colon; returns the position where the value may begin. */
function scanKey(text: Binary, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) throw bad(text, at, 'looking for beginning of object key string')
  const colon = skipSpace(text, scanString(text, at))
  if (text.charCodeAt(colon) !== COLON) throw bad(text, colon, 'after object key')
  return skipSpace(text, colon + 1)
}

/**
 * Scans the first JSON value of `text` and returns the position of its end; throws {@link JsonSyntaxError}. No
 * recursion, so depth uses no stack.
 */
export function scanValue(text: Binary, from = 0): number {
  const closers: number[] = []
  let at = skipSpace(text, from)
  for (;;) {
    const open = text.charCodeAt(at)
    if (open === OPEN_OBJECT || open === OPEN_ARRAY) {
      const close = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY
      closers.push(close)
      if (closers.length > MAX_DEPTH) throw new JsonSyntaxError('exceeded max depth')
      at = skipSpace(text, at + 1)
      if (text.charCodeAt(at) !== close) {
        if (open === OPEN_OBJECT) at = scanKey(text, at)
        continue
      }
    } else {
      at = scanScalar(text, at)
      if (closers.length === 0) return at
      at = skipSpace(text, at)
    }
    // A value has ended: closes the containers that end with it, up to the next comma.
    for (;;) {
      const close = closers.at(-1)
      if (close === undefined) return at
      const code = text.charCodeAt(at)
      if (code === COMMA) {
        at = skipSpace(text, at + 1)
        if (close === CLOSE_OBJECT) at = scanKey(text, at)
        break
      }
      if (code !== close)
        throw bad(text, at, close === CLOSE_OBJECT ? 'after object key:value pair' : 'after array element')
      closers.pop()
      at++
      if (closers.length === 0) return at
      at = skipSpace(text, at)
    }
  }
}

/** Checks that `text` is one JSON value and nothing else; returns the value without the space around it. */
export function scanWhole(text: Binary): Binary {
  const start = skipSpace(text, 0)
  const end = scanValue(text, start)
  const rest = skipSpace(text, end)
  if (rest < text.length) throw bad(text, rest, 'after top-level value')
  return text.slice(start, end)
}

/** The first value of a stream, as Go's decoder reads it; the rest is ignored. */
export function scanFirst(text: Binary): Binary {
  const start = skipSpace(text, 0)
  try {
    return text.slice(start, scanValue(text, start))
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) || !error.ended) throw error
    throw new JsonSyntaxError(start >= text.length ? 'EOF' : 'unexpected EOF', true)
  }
}

/** Returns the end of a string that is known to be valid. */
function skipValidString(text: Binary, from: number): number {
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at)
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    // With an even number of backslashes before the quote, the backslashes escape each other, so the quote ends the
    // string.
    if (slashes % 2 === 0) return at + 1
  }
}

const endsScalar = (code: number): boolean =>
  code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || code <= 32 || Number.isNaN(code)

/** Returns the end of a value that is known to be valid. */
function skipValid(text: Binary, from: number): number {
  let at = from
  let depth = 0
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = skipValidString(text, at)
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth++
      at++
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth--
      at++
    } else if (depth === 0) {
      while (!endsScalar(text.charCodeAt(at))) at++
      return at
    } else {
      at++
    }
    if (depth === 0) return at
  }
}

/** Visits the elements of a valid array in order, as positions. Ends when `visit` returns false. */
export function visitElements(array: Binary, visit: (from: number, end: number) => boolean): void {
  let at = skipSpace(array, 1)
  while (array.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = skipValid(array, at)
    if (!visit(at, end)) return
    at = skipSpace(array, end)
    if (array.charCodeAt(at) === COMMA) at = skipSpace(array, at + 1)
  }
}

/**
 * Returns the raw elements of a valid array, or `undefined` if it has more than `max`: further elements are not read.
 */
export function elementsUpTo(array: Binary, max: number): readonly Binary[] | undefined {
  const elements: Binary[] = []
  let isWhole = true
  visitElements(array, (from, end) => {
    isWhole = elements.length < max
    if (isWhole) elements.push(array.slice(from, end))
    return isWhole
  })
  return isWhole ? elements : undefined
}

/** Returns the raw elements of a valid array. */
export function elementsOf(array: Binary): readonly Binary[] {
  return elementsUpTo(array, Number.POSITIVE_INFINITY) as readonly Binary[]
}

/** Receives the raw key (with quotes) of a member; `undefined` for a key above the limit. */
type MemberVisitor = (key: Binary | undefined, valueFrom: number, valueEnd: number) => void

/**
 * Visits the members of a valid object in order, with duplicates. Values are passed as positions, and keys longer than
 * `maxKeyLength` are not passed. So members that are not needed use no memory.
 */
export function visitMembers(object: Binary, maxKeyLength: number, visit: MemberVisitor): void {
  let at = skipSpace(object, 1)
  while (object.charCodeAt(at) !== CLOSE_OBJECT) {
    const keyEnd = skipValidString(object, at)
    const valueFrom = skipSpace(object, skipSpace(object, keyEnd) + 1)
    const valueEnd = skipValid(object, valueFrom)
    visit(keyEnd - at > maxKeyLength ? undefined : object.slice(at, keyEnd), valueFrom, valueEnd)
    at = skipSpace(object, valueEnd)
    if (object.charCodeAt(at) === COMMA) at = skipSpace(object, at + 1)
  }
}
