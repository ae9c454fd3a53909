import { bytesToUtf8, concatList, utf8ToBytes } from '@org/types/bytes'

// The part of Google's orderedcode that the index of blocks uses: concatenated encodings of strings and integers
// whose byte order is the order of the values.

const TERMINATOR = [0x00, 0x01] as const

function appendString(out: number[], text: string): void {
  for (const byte of utf8ToBytes(text)) {
    out.push(byte)
    if (byte === 0x00) out.push(0xff)
    else if (byte === 0xff) out.push(0x00)
  }
  out.push(...TERMINATOR)
}

/** The bytes of a non-negative integer, big-endian; no byte for 0. */
function bigEndian(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

function appendInteger(out: number[], value: number): void {
  if (value >= -64 && value < 64) {
    out.push((value & 0xff) ^ 0x80)
    return
  }
  const negative = value < 0
  const bytes = bigEndian(negative ? -value - 1 : value)
  // The prefix has one leading 1 bit per byte of the encoding. The value shares the first byte if there is room.
  let ones = bytes.length + 1
  if ((bytes[0] as number) < 1 << (8 - ones)) ones--
  else bytes.unshift(0)
  bytes[0] = (bytes[0] as number) | (0xff & ~(0xff >> ones))
  out.push(...(negative ? bytes.map((byte) => byte ^ 0xff) : bytes))
}

/** Concatenates the encodings of strings and safe integers (heights, sequence numbers). */
export function encodeOrdered(...items: readonly (string | number)[]): Uint8Array {
  const out: number[] = []
  for (const item of items) {
    if (typeof item === 'string') appendString(out, item)
    else appendInteger(out, item)
  }
  return Uint8Array.from(out)
}

/** Reads items from the start of bytes; each method returns `undefined` if there is no such item. */
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
    const parts: Uint8Array[] = []
    let from = this.at
    for (let i = this.at; i < bytes.length; i++) {
      const byte = bytes[i]
      if (byte !== 0x00 && byte !== 0xff) continue
      const next = bytes[i + 1]
      if (byte === 0x00 && next === 0x01) {
        this.at = i + 2
        parts.push(bytes.subarray(from, i))
        return bytesToUtf8(parts.length === 1 ? (parts[0] as Uint8Array) : concatList(parts))
      }
      if (next !== (byte === 0x00 ? 0xff : 0x00)) return undefined
      // Takes the byte without its escape byte.
      parts.push(bytes.subarray(from, i + 1))
      from = i + 2
      i++
    }
    return undefined
  }

  /** An integer within 2^53; larger ones lose precision. */
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
