/** An uvarint of 64 bits has at most this many bytes. */
const MAX_BYTES = 10

export interface Uvarint {
  /** Beyond 2^53 only roughly right. */
  readonly value: number
  /** How many bytes it takes. */
  readonly size: number
}

/**
 * The length before a message, where bytes are still coming in: `undefined` while it is not whole, `overlong` when it has more
 * than `maxBytes` bytes or 64 bits. What is read from whole messages goes through `Cursor`.
 */
export function readUvarint(bytes: Uint8Array, at = 0, maxBytes: number = MAX_BYTES): Uvarint | 'overlong' | undefined {
  let value = 0
  for (let i = 0; i < bytes.length - at; i++) {
    const byte = bytes[at + i] as number
    if (i >= maxBytes || (i === MAX_BYTES - 1 && byte > 1)) return 'overlong'
    value += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) return { value, size: i + 1 }
  }
  return undefined
}
