import { base64ToBytes } from '@org/types/bytes'
import { brief, bytesOfHex } from './bytes.ts'
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

/**
 * Converts a text from a person or a link, such as `12`, to the height of a block. Returns `undefined` for any other
 * text.
 */
export function heightIn(text: string): number | undefined {
  const height = /^\d{1,16}$/.test(text) ? Number(text) : 0
  return height >= 1 && Number.isSafeInteger(height) ? height : undefined
}

/**
 * Returns the height as {@link heightIn} does. Throws an `InputError` if the text is not a height. Such a text must not
 * become height 0, because a node answers height 0 with its newest block.
 */
export function heightOf(text: string): number {
  const height = heightIn(text)
  if (height !== undefined) return height
  throw new InputError(`${brief(text, 40) || 'an empty text'} is not a height: a whole number from 1 is expected`)
}

/** Converts the 64 hex digits of a SHA-256 hash to bytes. Throws an `InputError` for any other text. */
export function hashOf(text: string): Uint8Array {
  const hash = bytesOfHex(text)
  if (hash?.length === 32) return hash
  throw new InputError(`${brief(text, 80) || 'an empty text'} is not a hash: 64 hex digits are expected`)
}
