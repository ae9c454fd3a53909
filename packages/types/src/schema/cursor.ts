import { bytesToUtf8 } from '../bytes/index.ts'
import { SCHEMA_ERRORS, SchemaError } from './errors.ts'

/** The maximum number of bytes for which a loop is faster than a TextDecoder (measured). */
const SHORT_TEXT = 8

/**
 * The limit of items if the caller gives none. It is above the number of items of any message that fits into memory.
 */
const UNBOUNDED = 0x3fff_ffff

/**
 * Reads protobuf primitives by the rules of gogoproto, and refuses the same input as gogoproto. The tenth byte of a
 * varint may be more than 1, and its excess bits are dropped. Numbers of 32 bits take the low bits of longer varints.
 * Byte fields are views of the input.
 */
export class Cursor {
  readonly bytes: Uint8Array
  pos: number
  end: number
  private readonly maxItems: number
  private itemsLeft: number

  /**
   * `maxItems` limits the number of items that `spend` counts. So it limits the heap of the decoded values, which may
   * be a hundred times as large as the encoded bytes.
   */
  constructor(bytes: Uint8Array, maxItems: number = UNBOUNDED) {
    this.maxItems = maxItems
    this.itemsLeft = maxItems
    // A Buffer is read as a plain Uint8Array, so that no decoded byte field is a Buffer.
    this.bytes = bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    this.pos = 0
    this.end = bytes.length
  }

  /** Counts items that are about to be decoded. Throws `SCHEMA_TOO_MANY_ITEMS` if there are more items than allowed. */
  spend(items: number): void {
    this.itemsLeft -= items
    if (this.itemsLeft >= 0) return
    throw new SchemaError(SCHEMA_ERRORS.tooManyItems, `more than ${this.maxItems} elements and nested messages`, {
      data: { offset: this.pos, limit: this.maxItems },
    })
  }

  /** Returns the number of items that were counted. */
  items(): number {
    return this.maxItems - this.itemsLeft
  }

  /**
   * Reads a field's tag. A field number above protobuf's range is unknown to every schema. A field number of 0 or less
   * is refused.
   */
  tag(): number {
    if (this.pos < this.end) {
      const byte = this.bytes[this.pos] as number
      if (byte > 7 && byte < 0x80 && (byte & 7) !== 4) {
        this.pos += 1
        return byte
      }
    }
    return this.long(makeTag)
  }

  /** Reads the low 32 bits of a varint of up to 64 bits, as an unsigned number. */
  uint32(): number {
    if (this.pos < this.end) {
      const byte = this.bytes[this.pos] as number
      if (byte < 0x80) {
        this.pos += 1
        return byte
      }
    }
    return this.long(lowHalf)
  }

  int32(): number {
    return this.uint32() | 0
  }

  /** Reads a varint of 64 bits as two unsigned halves, and passes them to `make`. */
  private long<T>(make: (low: number, high: number) => T): T {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte()
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high |= bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) return make(low >>> 0, high >>> 0)
    }
    throw new SchemaError(SCHEMA_ERRORS.varintOverflow, 'varint overflows 64 bits', { data: { offset: this.pos } })
  }

  uint64(): bigint {
    return this.long(unsignedBigint)
  }

  int64(): bigint {
    return this.long(signedBigint)
  }

  /** Reads an int64 that must be a safe integer. */
  safeInt64(): number {
    return checkSafe(this.long(signedNumber))
  }

  /** Reads a uint64 that must be a safe integer. */
  safeUint64(): number {
    return checkSafe(this.long(unsignedNumber))
  }

  fixed32(): number {
    const at = this.advance(4)
    const b = this.bytes
    return (
      ((b[at] as number) |
        ((b[at + 1] as number) << 8) |
        ((b[at + 2] as number) << 16) |
        ((b[at + 3] as number) << 24)) >>>
      0
    )
  }

  fixed64(): bigint {
    const low = this.fixed32()
    return unsignedBigint(low, this.fixed32())
  }

  sfixed64(): bigint {
    const low = this.fixed32()
    return signedBigint(low, this.fixed32())
  }

  safeSfixed64(): number {
    const low = this.fixed32()
    return checkSafe(signedNumber(low, this.fixed32()))
  }

  length(): number {
    const length = this.long(clampedLength)
    if (length > this.end - this.pos) throw truncated(this.pos)
    return length
  }

  view(): Uint8Array {
    const length = this.length()
    const at = this.advance(length)
    return this.bytes.subarray(at, at + length)
  }

  string(): string {
    const length = this.length()
    if (length === 0) return ''
    const at = this.advance(length)
    if (length > SHORT_TEXT) return bytesToUtf8(this.bytes.subarray(at, at + length))
    let text = ''
    for (let i = at; i < at + length; i++) {
      const byte = this.bytes[i] as number
      if (byte >= 0x80) return bytesToUtf8(this.bytes.subarray(at, at + length))
      text += String.fromCharCode(byte)
    }
    return text
  }

  /** Reads a varint, and returns true if any of its 64 bits is set. */
  bool(): boolean {
    return this.long(isAnyBitSet)
  }

  /** Skips the value of an unknown field. */
  skip(tag: number): void {
    let depth = 0
    for (let type = tag & 7; ; type = this.uint32() & 7) {
      if (type === 0) this.uint32()
      else if (type === 1) this.advance(8)
      else if (type === 2) this.advance(this.length())
      else if (type === 3) depth += 1
      else if (type === 4) depth -= 1
      else if (type === 5) this.advance(4)
      else throw new SchemaError(SCHEMA_ERRORS.wireType, `illegal wire type ${type}`, { data: { offset: this.pos } })
      if (depth <= 0) return
    }
  }

  private byte(): number {
    if (this.pos >= this.end) throw truncated(this.pos)
    return this.bytes[this.pos++] as number
  }

  private advance(length: number): number {
    const at = this.pos
    if (length > this.end - at) throw truncated(at)
    this.pos = at + length
    return at
  }
}

const isAnyBitSet = (low: number, high: number): boolean => (low | high) !== 0
const lowHalf = (low: number): number => low

/**
 * Returns a length that was read as two halves. If it does not fit into the low half, returns a number that is too
 * large for any message.
 */
const clampedLength = (low: number, high: number): number => (high === 0 ? low : Number.MAX_SAFE_INTEGER)

function makeTag(low: number, high: number): number {
  const number = (high << 29) | (low >>> 3)
  if (number <= 0 || (low & 7) === 4) {
    throw new SchemaError(SCHEMA_ERRORS.illegalTag, `illegal tag ${low}`, { data: { tag: low } })
  }
  // Go keeps 32 bits of a field's number, and this reader keeps 29 bits of it. No schema has a number of more than 29
  // bits, so Go and this reader both treat a field with a longer number as unknown.
  return ((Math.min(number, 0x1fff_ffff) << 3) | (low & 7)) >>> 0
}

function truncated(offset: number): SchemaError {
  return new SchemaError(SCHEMA_ERRORS.truncated, 'unexpected end of the message', { data: { offset } })
}

function unsignedBigint(low: number, high: number): bigint {
  return high === 0 ? BigInt(low) : (BigInt(high) << 32n) | BigInt(low)
}

function signedBigint(low: number, high: number): bigint {
  return high === 0 ? BigInt(low) : (BigInt(high | 0) << 32n) | BigInt(low)
}

function signedNumber(low: number, high: number): number {
  return (high | 0) * 0x1_0000_0000 + low
}

function unsignedNumber(low: number, high: number): number {
  return high * 0x1_0000_0000 + low
}

function checkSafe(value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw new SchemaError(SCHEMA_ERRORS.unsafeInteger, `integer ${value} is beyond 2^53`, { data: { value } })
}
