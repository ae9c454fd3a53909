import { type Binary, REPLACEMENT, runeAt } from './binary.ts'

const SHORT: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** Whether Go prints this code point as it is. */
function isPrintable(rune: number): boolean {
  return rune < 0x7f ? rune >= 0x20 : PRINTABLE.test(String.fromCodePoint(rune))
}

function escapeRune(rune: number, mark: number): string {
  const short = SHORT[rune]
  if (short !== undefined) return short
  if (rune === mark) return `\\${String.fromCharCode(mark)}`
  if (isPrintable(rune)) return String.fromCodePoint(rune)
  if (rune < 0x80) return `\\x${rune.toString(16).padStart(2, '0')}`
  return rune < 0x10000 ? `\\u${rune.toString(16).padStart(4, '0')}` : `\\U${rune.toString(16).padStart(8, '0')}`
}

/** Quotes a string as Go's `%q` does. */
export function quoteText(text: Binary): string {
  let quoted = '"'
  for (let at = 0; at < text.length; ) {
    const [rune, size] = runeAt(text, at)
    const bad = rune === REPLACEMENT && size === 1
    quoted += bad ? `\\x${text.charCodeAt(at).toString(16)}` : escapeRune(rune, 34)
    at += size
  }
  return `${quoted}"`
}

/**
 * Returns a byte in the notation of the reference's JSON errors, such as `'x'`. The byte is taken as the number of a
 * code point.
 */
export function quoteByte(byte: number): string {
  if (byte === 34) return `'"'`
  return `'${escapeRune(byte, 39)}'`
}

/** Formats a code point as Go's `%#U` does: `U+007A 'z'`. */
export function runeNotation(rune: number): string {
  const code = `U+${rune.toString(16).toUpperCase().padStart(4, '0')}`
  return isPrintable(rune) ? `${code} '${String.fromCodePoint(rune)}'` : code
}
