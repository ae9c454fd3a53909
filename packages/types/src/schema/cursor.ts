import { bytesToUtf8 } from '../bytes/index.ts'
import { SCHEMA_ERRORS, SchemaError } from './errors.ts'

/** Groups may nest this deep before an unknown field is refused. */
const MAX_GROUP_DEPTH = 32

/**
 * Reads protobuf primitives, and rejects what gogoproto rejects: overlong varints, truncated fields, illegal tags.
 * protobufjs' own reader lets some of these pass and loses 64-bit precision. Byte fields are views of the input.
 */
export class Cursor {
  readonly bytes: Uint8Array
  pos: number
  end: number

  constructor(bytes: Uint8Array) {
    // A Buffer is read as a plain Uint8Array, so that decoded byte fields are never Buffers.
    this.bytes = bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    this.pos = 0
    this.end = bytes.length
  }

  /** The low 32 bits of a varint of up to 64 bits, unsigned. */
  uint32(): number {
    let low = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte()
      if (shift < 28) low |= (byte & 0x7f) << shift
      else if (shift === 28) low |= (byte & 0x0f) << 28
      if (byte < 0x80) {
        // The tenth byte carries one bit; Go refuses more.
        if (shift === 63 && byte > 1) break
        return low >>> 0
      }
    }
    throw new SchemaError(SCHEMA_ERRORS.varintOverflow, 'varint overflows 64 bits', { data: { offset: this.pos } })
  }

  int32(): number {
    return this.uint32() | 0
  }

  /** A varint of 64 bits as two unsigned halves, handed to `make`. */
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
      if (byte < 0x80) {
        if (shift === 63 && byte > 1) break
        return make(low >>> 0, high >>> 0)
      }
    }
    throw new SchemaError(SCHEMA_ERRORS.varintOverflow, 'varint overflows 64 bits', { data: { offset: this.pos } })
  }

  uint64(): bigint {
    return this.long(unsignedBigint)
  }

  int64(): bigint {
    return this.long(signedBigint)
  }

  /** An int64 that must be a safe integer. */
  safeInt64(): number {
    return checkSafe(this.long(signedNumber))
  }

  fixed32(): number {
    const at = this.take(4)
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
    const length = this.uint32()
    if (length > this.end - this.pos) throw truncated(this.pos)
    return length
  }

  view(): Uint8Array {
    const length = this.length()
    const at = this.take(length)
    return this.bytes.subarray(at, at + length)
  }

  string(): string {
    const length = this.length()
    const at = this.take(length)
    if (length === 0) return ''
    if (length < 24) {
      let text = ''
      for (let i = at; i < at + length; i++) {
        const byte = this.bytes[i] as number
        if (byte >= 0x80) return bytesToUtf8(this.bytes.subarray(at, at + length))
        text += String.fromCharCode(byte)
      }
      return text
    }
    return bytesToUtf8(this.bytes.subarray(at, at + length))
  }

  /** Steps over the value of an unknown field. */
  skip(tag: number, depth = 0): void {
    switch (tag & 7) {
      case 0:
        this.uint32()
        return
      case 1:
        this.take(8)
        return
      case 2:
        this.take(this.length())
        return
      case 3:
        this.skipGroup(depth)
        return
      case 5:
        this.take(4)
        return
      default:
        throw new SchemaError(SCHEMA_ERRORS.wireType, `illegal wire type ${tag & 7}`, { data: { offset: this.pos } })
    }
  }

  private skipGroup(depth: number): void {
    if (depth >= MAX_GROUP_DEPTH) throw new SchemaError(SCHEMA_ERRORS.depth, 'groups are nested too deep')
    for (;;) {
      const tag = this.uint32()
      if ((tag & 7) === 4) return
      this.skip(tag, depth + 1)
    }
  }

  private byte(): number {
    if (this.pos >= this.end) throw truncated(this.pos)
    return this.bytes[this.pos++] as number
  }

  private take(length: number): number {
    const at = this.pos
    if (length > this.end - at) throw truncated(at)
    this.pos = at + length
    return at
  }
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

function checkSafe(value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw new SchemaError(SCHEMA_ERRORS.unsafeInteger, `integer ${value} is beyond 2^53`, { data: { value } })
}
