import { base64ToBytes } from '@org/types/bytes'
import { argumentError, type RpcError } from '../errors.ts'
import type { Binary } from './binary.ts'

const ALPHABET = /[A-Za-z0-9+/]/
const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\r'

/** Returns the position that Go's decoder reports for a text that is not base64; -1 for a text that is base64. */
function corruptAt(text: string): number {
  let at = 0
  while (at < text.length) {
    let digits = 0
    while (digits < 4) {
      const char = text[at]
      if (char === undefined) return digits === 0 ? -1 : at - digits
      at++
      if (isBreak(char)) continue
      if (ALPHABET.test(char)) {
        digits++
        continue
      }
      if (char !== '=' || digits < 2) return at - 1
      if (digits === 2) {
        while (isBreak(text[at])) at++
        if (at === text.length) return text.length
        if (text[at] !== '=') return at - 1
        at++
      }
      while (isBreak(text[at])) at++
      return at < text.length ? at : -1
    }
  }
  return -1
}

function corrupt(text: string): RpcError {
  return argumentError(`illegal base64 data at input byte ${corruptAt(text)}`)
}

/** The bytes of base64 text; throws with the reference's words. */
export function decodeBase64(text: string): Uint8Array {
  const bytes = base64ToBytes(text)
  if (bytes === undefined) throw corrupt(text)
  return bytes
}

const QUOTE = 34

/**
 * Returns the bytes of a JSON string that is base64 in the form in which clients usually write it: without escapes or
 * line breaks. Returns `undefined` for any other text, which may still be valid base64. To check the text, the bytes
 * are encoded again: this is faster than a loop over the characters.
 */
export function plainBase64(raw: Binary): Uint8Array | undefined {
  const last = raw.length - 1
  if (raw.length % 4 !== 2 || raw.charCodeAt(0) !== QUOTE || raw.charCodeAt(last) !== QUOTE) return undefined
  const text = raw.slice(1, last)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return undefined
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
