import { WireWriter } from '#wire-writer'
import { utf8ToBytes } from '../bytes/index.ts'

const TWO_32 = 0x1_0000_0000

/** The buffers of longer messages are not kept. */
const KEPT = 4096

/**
 * The emptied inner writer of the last message: the next message uses its buffer again, because a new buffer costs more
 * than a short message.
 */
let spare: WireWriter | undefined

/**
 * Writes protobuf primitives through protobufjs' writer, in browsers through a smaller one. The former silently writes a bigint as 0, so 64-bit values
 * are given to it as two halves. Integers are written without a check: the caller checks their range.
 */
export class Writer {
  private readonly inner: WireWriter
  private depth = 0

  constructor() {
    this.inner = spare ?? new WireWriter()
    spare = undefined
  }

  /** Bytes written so far. */
  get size(): number {
    return this.inner.len
  }

  /** Returns the written bytes; write nothing after this. */
  finish(): Uint8Array {
    const { inner } = this
    const bytes = inner.finish()
    if (bytes.length <= KEPT) {
      inner.reset()
      spare = inner
    }
    return bytes
  }

  uint32(value: number): void {
    this.inner.uint32(value)
  }

  int32(value: number): void {
    this.inner.int32(value)
  }

  bool(value: boolean): void {
    this.inner.bool(value)
  }

  /** A safe integer as an int64. */
  safeInt(value: number): void {
    if (value >= 0 && value < TWO_32) this.inner.uint32(value)
    else this.inner.int64(value)
  }

  /** An int64 or uint64. */
  bigint(value: bigint): void {
    this.inner.int64(halves(value))
  }

  /** A safe integer as an sfixed64. */
  safeFixed64(value: number): void {
    this.inner.sfixed64(value)
  }

  bigintFixed64(value: bigint): void {
    this.inner.sfixed64(halves(value))
  }

  bytes(value: Uint8Array): void {
    this.inner.bytes(value)
  }

  /** Text that is not well-formed has escaped bytes (bytesToUtf8), which are written as the original bytes. */
  string(value: string): void {
    if (value.isWellFormed()) this.inner.string(value)
    else this.inner.bytes(utf8ToBytes(value))
  }

  /** Starts a message or a packed list; the content up to {@link Writer.end} gets a length prefix. */
  begin(): void {
    this.depth++
    this.inner.fork()
  }

  end(): void {
    this.depth--
    this.inner.ldelim()
  }

  /** Forgets the messages that were begun and not ended. */
  abandon(): void {
    for (; this.depth > 0; this.depth--) this.inner.reset()
  }
}

function halves(value: bigint): never {
  const low = Number(BigInt.asIntN(32, value))
  const high = Number(BigInt.asIntN(32, value >> 32n))
  // The declared types contain only the class Long. The writer uses these members of it.
  return { low, high, unsigned: false } as never
}
