import { utf8ToBytes } from '../bytes/index.ts'
import { uvarintSize, writeUvarint } from './uvarint.ts'

const TWO_32 = 0x1_0000_0000
const MOST_VARINT = 10
/** Longer texts are encoded by the platform. */
const SHORT_TEXT = 48
const SLAB_SIZE = 8192
/** With less than this left a slab is not begun. */
const LEAST_ROOM = 512
/** Room for the lengths of messages that end behind something large. */
const SPARE = 64
const NONE = new Uint8Array(0)
const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

// Small messages share memory, as Node's small buffers do. Who writes takes what is left of it, and gives back what it did not need.
let slab = NONE
let slabFrom = 0

/**
 * Writes protobuf primitives where they stay: what stands behind a length moves if that takes more than the byte that was left for it.
 * Integers are written as they are: whoever writes checks their range.
 */
export class Writer {
  private into = NONE
  private from = 0
  private at = 0
  /** Where the lengths of the messages go that were begun. */
  private readonly begun: number[] = []

  /** Bytes written so far. */
  get size(): number {
    return this.at - this.from
  }

  /** What was written, as a view. The writer is empty again. */
  finish(): Uint8Array {
    const { into, from, at } = this
    this.into = NONE
    this.from = 0
    this.at = 0
    if (into.length === SLAB_SIZE) {
      if (SLAB_SIZE - at >= LEAST_ROOM) {
        slab = into
        slabFrom = at
      }
      return into.subarray(from, at)
    }
    // Whoever keeps it keeps nothing else.
    return into.length - at <= SPARE ? into.subarray(0, at) : into.slice(0, at)
  }

  uint32(value: number): void {
    this.room(MOST_VARINT)
    this.at = writeUvarint(this.into, this.at, value >>> 0)
  }

  int32(value: number): void {
    this.safeInt(value | 0)
  }

  bool(value: boolean): void {
    this.room(1)
    this.into[this.at++] = value ? 1 : 0
  }

  /** A safe integer as an int64. */
  safeInt(value: number): void {
    this.room(MOST_VARINT)
    if (value < 0) this.bigint(BigInt(value))
    else this.at = writeUvarint(this.into, this.at, value)
  }

  /** An int64 or uint64. */
  bigint(value: bigint): void {
    this.room(MOST_VARINT)
    let rest = BigInt.asUintN(64, value)
    // A number has room for seven groups of bits, and is much faster.
    while (rest > MOST_EXACT) {
      this.into[this.at++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.at = writeUvarint(this.into, this.at, Number(rest))
  }

  /** A safe integer as an sfixed64. */
  safeFixed64(value: number): void {
    this.fixed32(value)
    this.fixed32(Math.floor(value / TWO_32))
  }

  bigintFixed64(value: bigint): void {
    this.fixed32(Number(BigInt.asUintN(32, value)))
    this.fixed32(Number(BigInt.asUintN(32, value >> 32n)))
  }

  bytes(value: Uint8Array): void {
    this.room(value.length + MOST_VARINT)
    this.at = writeUvarint(this.into, this.at, value.length)
    this.into.set(value, this.at)
    this.at += value.length
  }

  /** Text that is not well-formed carries escaped bytes (bytesToUtf8), which are undone. */
  string(value: string): void {
    if (value.length > SHORT_TEXT || !this.ascii(value)) this.bytes(utf8ToBytes(value))
  }

  /** Starts a message or a packed list; what follows up to {@link Writer.end} gets its length in front. */
  begin(): void {
    this.room(1)
    this.begun.push(this.at - this.from)
    this.at++
  }

  end(): void {
    const start = this.from + (this.begun.pop() as number)
    const length = this.at - start - 1
    if (length < 0x80) {
      this.into[start] = length
      return
    }
    const more = uvarintSize(length) - 1
    this.room(more)
    const moved = this.at - length
    this.into.copyWithin(moved + more, moved, this.at)
    writeUvarint(this.into, moved - 1, length)
    this.at += more
  }

  /** Forgets the messages that were begun and not ended. */
  abandon(): void {
    const [first] = this.begun
    if (first !== undefined) this.at = this.from + first
    this.begun.length = 0
  }

  /** False, and nothing is written, if it is not. */
  private ascii(text: string): boolean {
    this.room(SHORT_TEXT + 1)
    const { into, at } = this
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code >= 0x80) return false
      into[at + 1 + i] = code
    }
    into[at] = text.length
    this.at = at + 1 + text.length
    return true
  }

  private fixed32(value: number): void {
    this.room(4)
    for (let rest = value >>> 0, i = 0; i < 4; i++, rest >>>= 8) this.into[this.at++] = rest & 0xff
  }

  private room(count: number): void {
    if (this.at + count > this.into.length) this.grow(count)
  }

  private grow(count: number): void {
    const { into, from, at, size } = this
    if (into === NONE) {
      this.into = slab === NONE ? new Uint8Array(SLAB_SIZE) : slab
      this.from = slab === NONE ? 0 : slabFrom
      this.at = this.from
      // Whoever writes meanwhile has another.
      slab = NONE
      this.room(count)
      return
    }
    const least = size + count + SPARE
    const isSmall = least <= SLAB_SIZE && from > 0
    const larger = new Uint8Array(isSmall ? SLAB_SIZE : Math.max(2 * SLAB_SIZE, 2 * size, least))
    larger.set(into.subarray(from, at))
    if (!isSmall && into.length === SLAB_SIZE) {
      slab = into
      slabFrom = from
    }
    this.into = larger
    this.from = 0
    this.at = size
  }
}
