import { bytesToUtf8, concatList, utf8ToBytes } from '@org/types/bytes'

// The part of Google's orderedcode format that the index of blocks uses. It encodes strings and integers one after the
// other, so that the order of the bytes is the order of the values.

/** The bytes that end the encoding of a text. */
const TERMINATOR = [0x00, 0x01] as const

/**
 * Returns true for 0x00 and 0xff. In the encoding, each 0x00 of a text is followed by an additional 0xff, and each
 * 0xff by an additional 0x00. A text contains 0xff only if it comes from a value that is not UTF-8.
 */
const isEscaped = (byte: number): boolean => byte === 0x00 || byte === 0xff

function countEscaped(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (isEscaped(byte)) count++
  return count
}

function encodeString(text: string): Uint8Array {
  const bytes = utf8ToBytes(text)
  const escapes = countEscaped(bytes)
  const out = new Uint8Array(bytes.length + escapes + TERMINATOR.length)
  if (escapes === 0) out.set(bytes)
  else {
    let at = 0
    for (const byte of bytes) {
      out[at++] = byte
      if (isEscaped(byte)) out[at++] = 0xff - byte
    }
  }
  out.set(TERMINATOR, bytes.length + escapes)
  return out
}

/** Returns the bytes of a non-negative integer, big-endian. For 0, the result is empty. */
function bigEndian(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

function encodeInteger(value: number): Uint8Array {
  if (value >= -64 && value < 64) return Uint8Array.of((value & 0xff) ^ 0x80)
  const negative = value < 0
  const bytes = bigEndian(negative ? -value - 1 : value)
  // The first byte of the encoding begins with as many 1 bits as the encoding has bytes, and with a 0 bit after them.
  // If the first byte of the value has room for these bits, they are set in this byte. If not, they are set in an
  // additional byte before the value.
  let ones = bytes.length + 1
  if ((bytes[0] as number) < 1 << (8 - ones)) ones--
  else bytes.unshift(0)
  bytes[0] = (bytes[0] as number) | (0xff & ~(0xff >> ones))
  return Uint8Array.from(negative ? bytes.map((byte) => byte ^ 0xff) : bytes)
}

/** Concatenates the encodings of strings and safe integers (heights, sequence numbers). */
export function encodeOrdered(...items: readonly (string | number)[]): Uint8Array {
  return concatList(items.map((item) => (typeof item === 'string' ? encodeString(item) : encodeInteger(item))))
}

/** Returns the bytes of a text without the additional byte after each 0x00 and each 0xff. */
function withoutEscapes(bytes: Uint8Array, escapes: number): Uint8Array {
  if (escapes === 0) return bytes
  const out = new Uint8Array(bytes.length - escapes)
  let at = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    out[at++] = byte
    if (isEscaped(byte)) i++
  }
  return out
}

/**
 * Reads encoded items, one after the other. Each method returns `undefined` if the next item is not of the method's
 * type.
 */
export class OrderedReader {
  at: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get done(): boolean {
    return this.at >= this.#bytes.length
  }

  string(): string | undefined {
    const bytes = this.#bytes
    const from = this.at
    let escapes = 0
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i]
      if (byte !== 0x00 && byte !== 0xff) continue
      const next = bytes[i + 1]
      if (byte === 0x00 && next === 0x01) {
        this.at = i + TERMINATOR.length
        return bytesToUtf8(withoutEscapes(bytes.subarray(from, i), escapes))
      }
      if (next !== (byte === 0x00 ? 0xff : 0x00)) return undefined
      escapes++
      i++
    }
    return undefined
  }

  /** Reads an integer. Beyond 2^53 it loses precision. */
  integer(): number | undefined {
    const bytes = this.#bytes
    let first = bytes[this.at]
    if (first === undefined) return undefined
    if (first >= 0x40 && first < 0xc0) {
      this.at++
      return first - 0x80
    }
    const flip = (first & 0x80) === 0 ? 0xff : 0
    let at = this.at
    first ^= flip
    let count = 0
    if (first === 0xff) {
      at++
      const second = bytes[at]
      if (second === undefined) return undefined
      first = second ^ flip
      if (first > 0xc0) return undefined
      count = 7
    }
    for (let mask = 0x80; (first & mask) !== 0; mask >>= 1) {
      first &= ~mask
      count++
    }
    if (bytes.length - at < count) return undefined
    let value = first
    for (let i = 1; i < count; i++) value = value * 256 + ((bytes[at + i] as number) ^ flip)
    this.at = at + count
    return flip === 0 ? value : -value - 1
  }
}
