import { base64ToBytes } from '@org/types/bytes'
import { bytesOfHex } from './bytes.ts'
import { InputError } from './errors.ts'

export const FORMS = ['text', 'hex', 'base64'] as const
export type GivenForm = (typeof FORMS)[number]

/**
 * Converts a text that the user wrote to bytes. `form` says how the text represents the bytes. Throws an `InputError`
 * if the text does not have this form.
 */
export function givenBytes(text: string, form: GivenForm): Uint8Array {
  if (form === 'text') return new TextEncoder().encode(text)
  if (form === 'hex') {
    const bytes = bytesOfHex(text)
    if (bytes === undefined) throw new InputError('an even number of hex digits is expected, such as 6e616d65')
    return bytes
  }
  const bytes = base64ToBytes(text.trim())
  if (bytes === undefined) throw new InputError('base64 is expected, such as bmFtZQ==')
  return bytes
}
