import { argumentError } from '../errors.ts'
import type { Binary } from './binary.ts'
import { runeNotation } from './quote.ts'

function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** The bytes of hex digits; throws with the reference's words. */
export function decodeHex(text: Binary): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const value = digit(code)
    if (value < 0) throw argumentError(`encoding/hex: invalid byte: ${runeNotation(code)}`)
    if (i >> 1 < bytes.length) bytes[i >> 1] = (i & 1) === 0 ? value << 4 : (bytes[i >> 1] as number) | value
  }
  if (text.length % 2 !== 0) throw argumentError('encoding/hex: odd length hex string')
  return bytes
}
