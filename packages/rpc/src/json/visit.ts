import type { Binary } from './binary.ts'
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace } from './tokens.ts'

/** Returns the position after the closing quote of a valid string. `from` is the position of the opening quote. */
function skipValidString(text: Binary, from: number): number {
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at)
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    // An even number of backslashes before the quote are escaped backslashes, so the quote itself is not escaped and
    // ends the string.
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

/**
 * Visits the elements of a valid array in order. `visit` receives the positions at which an element begins and ends.
 * Stops when `visit` returns false.
 */
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

/**
 * Called for each member of an object. `key` is the raw key with its quotes, or `undefined` if the key is longer than
 * the visitor needs. `valueFrom` and `valueEnd` are the positions at which the member's value begins and ends.
 */
type MemberVisitor = (key: Binary | undefined, valueFrom: number, valueEnd: number) => void

/**
 * Visits the members of a valid object in order, including members with the same name. `visit` receives only the
 * positions of a value, not its text, and `undefined` in place of a key longer than `maxKeyLength`. So members that are
 * not needed use no memory.
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
