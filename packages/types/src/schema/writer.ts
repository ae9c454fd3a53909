import { utf8ToBytes } from '../bytes/index.ts'

const INITIAL_SIZE = 256
/** Up to here a loop is faster than a TextEncoder (measured). */
const SHORT_TEXT = 32
const TWO_32 = 0x1_0000_0000
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const encoder = new TextEncoder()

/**
 * Writes protobuf primitives into one growing buffer. A nested message is written in place: `begin` leaves room for a length
 * of one byte, `end` fills it in, and moves the message if the length needs more. Integers are written as they are: whoever
 * writes checks their range.
 */
export class Writer {
  private buffer: Uint8Array
  private length = 0

  constructor(size: number = INITIAL_SIZE) {
    this.buffer = new Uint8Array(size)
  }

  /** Bytes written so far. */
  get size(): number {
    return this.length
  }

  /** What was written; nothing may be written after it. A copy if the buffer is much larger. */
  finish(): Uint8Array {
    const { buffer, length } = this
    return length * 4 >= buffer.length * 3 ? buffer.subarray(0, length) : buffer.slice(0, length)
  }

  uint32(value: number): void {
    this.reserve(5)
    this.varint32(value >>> 0)
  }

  int32(value: number): void {
    if (value >= 0) this.uint32(value)
    else this.halves(value >>> 0, 0xffff_ffff)
  }

  bool(value: boolean): void {
    this.reserve(1)
    this.buffer[this.length++] = value ? 1 : 0
  }

  /** A safe integer as an int64. */
  safeInt(value: number): void {
    if (value >= 0 && value < TWO_32) this.uint32(value)
    else this.halves(value >>> 0, Math.floor(value / TWO_32) >>> 0)
  }

  /** An int64 or uint64. */
  bigint(value: bigint): void {
    if (value <= MAX_SAFE && value >= -MAX_SAFE) this.safeInt(Number(value))
    else this.halves(Number(BigInt.asUintN(32, value)), Number(BigInt.asUintN(32, value >> 32n)))
  }

  /** A safe integer as an sfixed64. */
  safeFixed64(value: number): void {
    this.fixed64(value >>> 0, Math.floor(value / TWO_32) >>> 0)
  }

  bigintFixed64(value: bigint): void {
    this.fixed64(Number(BigInt.asUintN(32, value)), Number(BigInt.asUintN(32, value >> 32n)))
  }

  bytes(value: Uint8Array): void {
    this.reserve(5 + value.length)
    this.varint32(value.length)
    this.buffer.set(value, this.length)
    this.length += value.length
  }

  string(value: string): void {
    if (value.length > SHORT_TEXT || !this.ascii(value)) this.text(value)
  }

  /** Starts a message (or a packed list) and returns what {@link Writer.end} wants. */
  begin(): number {
    this.reserve(1)
    return ++this.length
  }

  end(start: number): void {
    const size = this.length - start
    if (size < 0x80) {
      this.buffer[start - 1] = size
      return
    }
    const extra = size < 0x4000 ? 1 : size < 0x20_0000 ? 2 : size < 0x1000_0000 ? 3 : 4
    this.reserve(extra)
    this.buffer.copyWithin(start + extra, start, this.length)
    this.length = start - 1
    this.varint32(size)
    this.length += size
  }

  /** Escaped bytes (bytesToUtf8) are undone. */
  private text(value: string): void {
    if (!value.isWellFormed()) {
      this.bytes(utf8ToBytes(value))
      return
    }
    const start = this.begin()
    this.reserve(value.length * 3)
    this.length += encoder.encodeInto(value, this.buffer.subarray(start)).written
    this.end(start)
  }

  /** False, with nothing written, if the text is not ASCII. */
  private ascii(value: string): boolean {
    this.reserve(1 + value.length)
    const { buffer } = this
    const at = this.length + 1
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code >= 0x80) return false
      buffer[at + i] = code
    }
    buffer[this.length] = value.length
    this.length = at + value.length
    return true
  }

  /** The caller has reserved 5 bytes. */
  private varint32(value: number): void {
    const { buffer } = this
    let rest = value
    while (rest >= 0x80) {
      buffer[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    buffer[this.length++] = rest
  }

  private halves(low: number, high: number): void {
    this.reserve(10)
    const { buffer } = this
    let [rest, upper] = [low, high]
    while (upper > 0) {
      buffer[this.length++] = (rest & 0x7f) | 0x80
      rest = ((rest >>> 7) | (upper << 25)) >>> 0
      upper >>>= 7
    }
    this.varint32(rest)
  }

  private fixed64(low: number, high: number): void {
    this.reserve(8)
    const { buffer } = this
    for (let half = low, i = 0; i < 8; i++) {
      if (i === 4) half = high
      buffer[this.length++] = half & 0xff
      half >>>= 8
    }
  }

  private reserve(size: number): void {
    const wanted = this.length + size
    if (wanted <= this.buffer.length) return
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, wanted))
    grown.set(this.buffer.subarray(0, this.length))
    this.buffer = grown
  }
}
