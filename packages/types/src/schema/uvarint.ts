/** An uvarint of 64 bits has at most this many bytes. */
const MAX_BYTES = 10

/** The number of bytes of an encoded safe integer. */
export function uvarintSize(value: number): number {
  let size = 1
  for (let limit = 0x80; value >= limit; limit *= 0x80) size++
  return size
}

/** Returns the size of bytes as a field with a number below 16: with its tag and length. */
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

export interface Uvarint {
  /** Beyond 2^53 the value is approximate. */
  readonly value: number
  /** The number of bytes that it takes. */
  readonly size: number
}

/**
 * Reads the length before an incoming message: `undefined` while it is incomplete, `overlong` when it has more than
 * `maxBytes` bytes or 64 bits. For whole messages use `Cursor`.
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
