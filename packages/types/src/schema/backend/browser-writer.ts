import { utf8ToBytes } from '../../bytes/index.ts'

/** The two halves of a signed 64-bit value. */
interface Halves {
  readonly low: number
  readonly high: number
}

const FIRST_SIZE = 256

/**
 * A protobuf writer for browsers. It has the methods of protobufjs' writer that this package uses, but its code is much
 * shorter. The writer of protobufjs would be a seventh of the code of a web page with a light client, mostly because of
 * its arithmetic of 64-bit numbers.
 */
export class WireWriter {
  private buffer = new Uint8Array(FIRST_SIZE)
  /** The number of written bytes. */
  len = 0
  /** The offset of the first byte of each message that was begun and not ended. */
  private readonly starts: number[] = []

  uint32(value: number): void {
    this.varint(value >>> 0, 0)
  }

  /** Writes an int32. A negative value takes ten bytes, as in each protobuf writer. */
  int32(value: number): void {
    this.varint(value >>> 0, value < 0 ? 0xffff_ffff : 0)
  }

  bool(value: boolean): void {
    this.uint32(value ? 1 : 0)
  }

  int64(value: number | Halves): void {
    const { low, high } = halvesOf(value)
    this.varint(low, high)
  }

  sfixed64(value: number | Halves): void {
    const { low, high } = halvesOf(value)
    const at = this.grow(8)
    const view = new DataView(this.buffer.buffer)
    view.setUint32(at, low, true)
    view.setUint32(at + 4, high, true)
  }

  bytes(value: Uint8Array): void {
    this.uint32(value.length)
    const at = this.grow(value.length)
    this.buffer.set(value, at)
  }

  string(value: string): void {
    this.bytes(utf8ToBytes(value))
  }

  /** Begins a message. */
  fork(): void {
    this.starts.push(this.len)
  }

  /** Ends the message that was begun last, and writes its length before it. */
  ldelim(): void {
    const start = this.starts.pop() ?? 0
    const size = this.len - start
    this.uint32(size)
    const prefix = this.buffer.slice(start + size, this.len)
    this.buffer.copyWithin(start + prefix.length, start, start + size)
    this.buffer.set(prefix, start)
  }

  /** Drops the message that was begun last, or all written bytes if no message was begun. */
  reset(): void {
    this.len = this.starts.pop() ?? 0
  }

  finish(): Uint8Array {
    return this.buffer.slice(0, this.len)
  }

  private varint(low: number, high: number): void {
    let [rest, top] = [low >>> 0, high >>> 0]
    while (top > 0 || rest > 127) {
      this.byte((rest & 127) | 128)
      rest = ((rest >>> 7) | (top << 25)) >>> 0
      top >>>= 7
    }
    this.byte(rest)
  }

  private byte(value: number): void {
    const at = this.grow(1)
    this.buffer[at] = value
  }

  /** Makes room for `size` bytes, and returns the offset of the first of these bytes. */
  private grow(size: number): number {
    const at = this.len
    this.len += size
    if (this.len > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.len, 2 * this.buffer.length))
      larger.set(this.buffer)
      this.buffer = larger
    }
    return at
  }
}

function halvesOf(value: number | Halves): Halves {
  if (typeof value !== 'number') return value
  return { low: value >>> 0, high: Math.floor(value / 0x1_0000_0000) >>> 0 }
}
