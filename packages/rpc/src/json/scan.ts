import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { Binary } from './binary.ts'
import { quoteByte } from './quote.ts'
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
} from './tokens.ts'

/** The deepest nesting of containers, as in Go. */
const MAX_DEPTH = 10_000

/**
 * Matches the characters of a string up to its end, the first escape, or an invalid character. This is many times
 * faster than a loop.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a string must not contain them.
const PLAIN = /[^"\\\x00-\x1f]*/y

/**
 * The error for invalid JSON, with Go's error message. `ended` is true if the text ended before the JSON was complete.
 */
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
    // When the text ends, Go's scanner reads one more space. If the text ends inside a token, such as `tru`, Go's error
    // names this space as the invalid character.
    const message = INSIDE_TOKEN.test(context) ? `invalid character ' ' ${context}` : 'unexpected end of JSON input'
    return new JsonSyntaxError(message, true)
  }
  return new JsonSyntaxError(`invalid character ${quoteByte(text.charCodeAt(at))} ${context}`)
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isHexDigit = (code: number): boolean => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

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
 * Scans the first JSON value of `text`. Returns the position of its end, or throws {@link JsonSyntaxError}. The
 * function is not recursive, so nested containers use no stack.
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
    // A value has ended. If it was the last value of its container, this container ends too, and then perhaps the
    // container around it. The loop stops at a comma, because another value follows the comma.
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

/** Returns the first JSON value of `text`, as Go's stream decoder reads it. The text after this value is ignored. */
export function scanFirst(text: Binary): Binary {
  const start = skipSpace(text, 0)
  try {
    return text.slice(start, scanValue(text, start))
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) || !error.ended) throw error
    throw new JsonSyntaxError(start >= text.length ? 'EOF' : 'unexpected EOF', true)
  }
}
