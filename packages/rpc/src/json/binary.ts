import { isUtf8 } from 'node:buffer'

/**
 * Text from the wire. Until its encoding is known, it is kept as a *binary string*, which has one character per byte.
 * The bytes are needed because the reference quotes single bytes in its errors, and replaces invalid UTF-8 in its own
 * way.
 */
export type Binary = string

export function binaryOf(bytes: Uint8Array): Binary {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.toString('latin1')
}

export function bytesOfBinary(text: Binary): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
const ASCII = /^[\x00-\x7f]*$/

export const REPLACEMENT = 0xfffd

/**
 * Returns the code point at `at` and its length in bytes. For a byte that is not valid UTF-8, returns `[0xFFFD, 1]`, as
 * Go does.
 */
export function runeAt(text: Binary, at: number): readonly [rune: number, size: number] {
  const first = text.charCodeAt(at)
  if (first < 0x80) return [first, 1]
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4) return [REPLACEMENT, 1]
  let rune = first & (0xff >> (size + 1))
  for (let i = 1; i < size; i++) {
    const next = text.charCodeAt(at + i)
    if (!(next >= 0x80 && next < 0xc0)) return [REPLACEMENT, 1]
    rune = (rune << 6) | (next & 0x3f)
  }
  const tooSmall = (size === 3 && rune < 0x800) || (size === 4 && rune < 0x10000)
  if (tooSmall || rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) return [REPLACEMENT, 1]
  return [rune, size]
}

/** Returns the text of UTF-8 bytes. Each byte that is not valid UTF-8 becomes U+FFFD. */
export function textOfBinary(text: Binary): string {
  if (ASCII.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let result = ''
  for (let at = 0; at < text.length; ) {
    const [rune, size] = runeAt(text, at)
    result += String.fromCodePoint(rune)
    at += size
  }
  return result
}

/** Returns the UTF-8 bytes of a text as a binary string, which has one character per byte. */
export function binaryOfText(text: string): Binary {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}
