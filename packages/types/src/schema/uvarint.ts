/** The maximum number of bytes of an uvarint of 64 bits. */
const MAX_BYTES = 10

/** Returns the number of bytes of a safe integer as an uvarint. */
export function uvarintSize(value: number): number {
  let size = 1
  for (let limit = 0x80; value >= limit; limit *= 0x80) size++
  return size
}

/** Returns the number of bytes of a byte field with its tag and its length. The field number must be below 16. */
export function fieldSize(length: number): number {
  return 1 + uvarintSize(length) + length
}

/** Writes a safe integer. Returns the position after it. */
export function writeUvarint(into: Uint8Array, at: number, value: number): number {
  let place = at
  let rest = value
  for (; rest > 0x7fffffff; rest = Math.floor(rest / 0x80)) into[place++] = (rest & 0x7f) | 0x80
  for (; rest >= 0x80; rest >>>= 7) into[place++] = (rest & 0x7f) | 0x80
  into[place++] = rest
  return place
}

/** A length prefix that was read: the length, and the size of the prefix itself. */
export interface Uvarint {
  /** The length of the message after the prefix. A length above 2^53 is approximate. */
  readonly value: number
  /** The number of bytes of the length prefix. */
  readonly size: number
}

/**
 * Reads the length prefix of an incoming message. Returns `undefined` while the prefix is incomplete, and `overlong` if
 * the prefix has more than `maxBytes` bytes or the length exceeds 64 bits. For whole messages use `Cursor`.
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
