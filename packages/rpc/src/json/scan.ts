import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { Binary } from './binary.ts'
import { quoteByte } from './quote.ts'

/** Containers may nest this deep, as in Go. */
const MAX_DEPTH = 10_000

const QUOTE = 34
const BACKSLASH = 92

/** JSON that is not valid, with Go's words. `ended`: it stops too early. */
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
    // Go ends the text with a space: inside a token that is the character it minds.
    const minded = INSIDE_TOKEN.test(context) ? `invalid character ' ' ${context}` : 'unexpected end of JSON input'
    return new JsonSyntaxError(minded, true)
  }
  return new JsonSyntaxError(`invalid character ${quoteByte(text.charCodeAt(at))} ${context}`)
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

export function skipSpace(text: Binary, at: number): number {
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
    if (!/[0-9a-fA-F]/.test(text[i] ?? '')) throw bad(text, i, 'in \\u hexadecimal character escape')
  }
  return at + 5
}

/** From the opening quote to after the closing one. */
function scanString(text: Binary, from: number): number {
  let at = from + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at = scanEscape(text, at + 1)
    else if (code >= 32) at++
    else throw bad(text, at, 'in string literal')
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

/** A key and its colon; gives where the value may begin. */
function scanKey(text: Binary, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) throw bad(text, at, 'looking for beginning of object key string')
  const colon = skipSpace(text, scanString(text, at))
  if (text[colon] !== ':') throw bad(text, colon, 'after object key')
  return skipSpace(text, colon + 1)
}

/**
 * Walks over the first JSON value of `text` and gives where it ends; throws {@link JsonSyntaxError}. No recursion, so depth
 * costs no stack.
 */
export function scanValue(text: Binary, from = 0): number {
  const closers: string[] = []
  let at = skipSpace(text, from)
  for (;;) {
    const open = text[at]
    if (open === '{' || open === '[') {
      const close = open === '{' ? '}' : ']'
      closers.push(close)
      if (closers.length > MAX_DEPTH) throw new JsonSyntaxError('exceeded max depth')
      at = skipSpace(text, at + 1)
      if (text[at] !== close) {
        if (open === '{') at = scanKey(text, at)
        continue
      }
    } else {
      at = scanScalar(text, at)
      if (closers.length === 0) return at
      at = skipSpace(text, at)
    }
    // A value has ended: close what ends with it, up to the next comma.
    for (;;) {
      const close = closers.at(-1)
      if (close === undefined) return at
      if (text[at] === ',') {
        at = skipSpace(text, at + 1)
        if (close === '}') at = scanKey(text, at)
        break
      }
      if (text[at] !== close) throw bad(text, at, close === '}' ? 'after object key:value pair' : 'after array element')
      closers.pop()
      at++
      if (closers.length === 0) return at
      at = skipSpace(text, at)
    }
  }
}

/** Checks that `text` is one JSON value and nothing else; gives the value without the space around it. */
export function scanWhole(text: Binary): Binary {
  const start = skipSpace(text, 0)
  const end = scanValue(text, start)
  const rest = skipSpace(text, end)
  if (rest < text.length) throw bad(text, rest, 'after top-level value')
  return text.slice(start, end)
}

/** The first value of a stream, as Go's decoder reads it: what follows is ignored. */
export function scanFirst(text: Binary): Binary {
  const start = skipSpace(text, 0)
  try {
    return text.slice(start, scanValue(text, start))
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) || !error.ended) throw error
    throw new JsonSyntaxError(start >= text.length ? 'EOF' : 'unexpected EOF', true)
  }
}

/** The end of a value that is known to be valid. */
function skipValid(text: Binary, at: number): number {
  let depth = 0
  for (;;) {
    const code = text[at]
    if (code === '"') {
      at++
      while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
      at++
    } else if (code === '{' || code === '[') {
      depth++
      at++
    } else if (code === '}' || code === ']') {
      if (depth === 0) return at
      depth--
      at++
    } else if (depth === 0) {
      while (at < text.length && !',]} \t\r\n'.includes(text[at] as string)) at++
      return at
    } else {
      at++
    }
    if (depth === 0) return at
  }
}

/** The raw elements of a valid array. */
export function elementsOf(array: Binary): readonly Binary[] {
  const elements: Binary[] = []
  let at = skipSpace(array, 1)
  while (array[at] !== ']') {
    const end = skipValid(array, at)
    elements.push(array.slice(at, end))
    at = skipSpace(array, end)
    if (array[at] === ',') at = skipSpace(array, at + 1)
  }
  return elements
}

/** The raw keys (with quotes) and values of a valid object, in order, duplicates included. */
export function membersOf(object: Binary): readonly (readonly [key: Binary, value: Binary])[] {
  const members: (readonly [Binary, Binary])[] = []
  let at = skipSpace(object, 1)
  while (object[at] !== '}') {
    const keyEnd = skipValid(object, at)
    const valueAt = skipSpace(object, skipSpace(object, keyEnd) + 1)
    const end = skipValid(object, valueAt)
    members.push([object.slice(at, keyEnd), object.slice(valueAt, end)])
    at = skipSpace(object, end)
    if (object[at] === ',') at = skipSpace(object, at + 1)
  }
  return members
}
