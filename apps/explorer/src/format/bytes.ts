import { bytesToBase64, bytesToHex } from '@org/types/bytes'

/** Upper-case hex, as in the answers of the RPC. */
export const hexOf = (bytes: Uint8Array): string => bytesToHex(bytes).toUpperCase()

export const base64Of = (bytes: Uint8Array): string => bytesToBase64(bytes)

/** Ranges of characters that are invisible, or change the direction of a text. A tab and a line feed are visible. */
const INVISIBLE: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
]

const isInvisible = (code: number): boolean => INVISIBLE.some(([first, last]) => code >= first && code <= last)
/** Letters, digits and signs of ASCII only: the usual text, which needs no change. */
const PLAIN = /^[ -~\n\t]*$/

/** Text in which no character is invisible: each such character is written as its number. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text
  return Array.from(text, (char) => {
    const code = char.charCodeAt(0)
    return isInvisible(code) ? `\\u${code.toString(16).padStart(4, '0')}` : char
  }).join('')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes as UTF-8; `undefined` if they are not. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return visible(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

/** Longer bytes are not parsed: the page would stop for the time. */
const MAX_JSON_BYTES = 256 * 1024

/** The bytes as indented JSON, if they are an object or a list. */
export function jsonOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_JSON_BYTES || (bytes[0] !== 0x7b && bytes[0] !== 0x5b)) return undefined
  try {
    return visible(JSON.stringify(JSON.parse(utf8.decode(bytes)), null, 2))
  } catch {
    return undefined
  }
}

/** Hex of the digits that the user wrote, with or without `0x`; `undefined` for any other text. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  const digits = text.trim().replace(/^0x/i, '')
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) return undefined
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}
