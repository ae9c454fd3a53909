import { bytesToBase64, bytesToHex } from '@org/types/bytes'
import { indentedText } from './json.ts'

/** Returns bytes as upper-case hex, as in the answers of the RPC. */
export const hexOf = (bytes: Uint8Array): string => bytesToHex(bytes).toUpperCase()

export const base64Of = (bytes: Uint8Array): string => bytesToBase64(bytes)

/**
 * Matches a character that is invisible or that changes the direction of a text. A tab or a line feed does not match.
 */
const INVISIBLE = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/**
 * Matches a text that has only visible ASCII characters, tabs and line feeds. Most texts match, and are used without
 * a change.
 */
const PLAIN = /^[ -~\n\t]*$/

function escaped(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/** Returns the text with each invisible character replaced by its number, such as `\u202e`. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, escaped)
}

/**
 * Returns the first characters of a text from the chain, with each invisible character replaced by its number. The text
 * is cut before the replacement, so a long text takes no more time than a short one.
 */
export function brief(text: unknown, most = 80): string {
  const whole = String(text ?? '')
  return visible(whole.length > most ? `${whole.slice(0, most)}…` : whole)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the bytes as UTF-8 text; `undefined` if they are not valid UTF-8. The text may have invisible characters. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The maximum size of data that is parsed as JSON, because parsing more would freeze the page. */
const MAX_JSON_BYTES = 256 * 1024

/**
 * Returns the bytes as JSON if they are a JSON object or list, otherwise `undefined`. The JSON is indented, except if it
 * has many nested levels. The text may have invisible characters.
 */
export function jsonOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_JSON_BYTES || (bytes[0] !== 0x7b && bytes[0] !== 0x5b)) return undefined
  try {
    return indentedText(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * Converts the hex digits that the user wrote, with or without `0x`, to bytes. Returns `undefined` for any other text.
 */
export function bytesOfHex(text: string): Uint8Array | undefined {
  const digits = text.trim().replace(/^0x/i, '')
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) return undefined
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}
