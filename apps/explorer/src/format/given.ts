import { base64ToBytes } from '@org/types/bytes'
import { bytesOfHex } from './bytes.ts'

export const FORMS = ['text', 'hex', 'base64'] as const
export type GivenForm = (typeof FORMS)[number]

/** Bytes that a person wrote. Throws a TypeError that says what is expected. */
export function givenBytes(text: string, form: GivenForm): Uint8Array {
  if (form === 'text') return new TextEncoder().encode(text)
  if (form === 'hex') {
    const bytes = bytesOfHex(text)
    if (bytes === undefined) throw new TypeError('an even number of hex digits is expected, such as 6e616d65')
    return bytes
  }
  const bytes = base64ToBytes(text.trim())
  if (bytes === undefined) throw new TypeError('base64 is expected, such as bmFtZQ==')
  return bytes
}
