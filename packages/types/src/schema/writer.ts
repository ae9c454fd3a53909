import { WireWriter } from '#wire-writer'
import { utf8ToBytes } from '../bytes/index.ts'

const TWO_32 = 0x1_0000_0000

/** The maximum number of bytes of a message whose buffer is kept for the next message. */
const KEPT = 4096

/**
 * The {@link WireWriter} that wrote the last short message. The writer was reset, so that the next message can use the
 * buffer of this writer. To allocate a new buffer would take more time than to write a short message.
 */
let spare: WireWriter | undefined

/**
 * Writes protobuf primitives through protobufjs' writer, or through a smaller writer in browsers. The writer of
 * protobufjs writes a bigint as 0 without an error, so this class passes 64-bit values as two halves. Integers are
 * written without a check: the caller checks their range.
 */
export class Writer {
  private readonly inner: WireWriter
  private depth = 0

  constructor() {
    this.inner = spare ?? new WireWriter()
    spare = undefined
  }

  /** The number of bytes that are written so far. */
  get size(): number {
    return this.inner.len
  }

  /** Returns the written bytes. Do not write after this call. */
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

  /** Writes a safe integer as an int64. */
  safeInt(value: number): void {
    if (value >= 0 && value < TWO_32) this.inner.uint32(value)
    else this.inner.int64(value)
  }

  /** Writes an int64 or uint64. */
  bigint(value: bigint): void {
    this.inner.int64(halves(value))
  }

  /** Writes a safe integer as an sfixed64. */
  safeFixed64(value: number): void {
    this.inner.sfixed64(value)
  }

  bigintFixed64(value: bigint): void {
    this.inner.sfixed64(halves(value))
  }

  bytes(value: Uint8Array): void {
    this.inner.bytes(value)
  }

  /**
   * Writes a text. The function `bytesToUtf8` replaces each byte that is not valid UTF-8 by a lone surrogate. In place
   * of a lone surrogate of this kind, the original byte is written.
   */
  string(value: string): void {
    if (value.isWellFormed()) this.inner.string(value)
    else this.inner.bytes(utf8ToBytes(value))
  }

  /** Begins a message or a packed list. The content up to {@link Writer.end} gets a length prefix. */
  begin(): void {
    this.depth++
    this.inner.fork()
  }

  end(): void {
    this.depth--
    this.inner.ldelim()
  }

  /** Drops the messages that were begun and not ended. */
  abandon(): void {
    for (; this.depth > 0; this.depth--) this.inner.reset()
  }
}

function halves(value: bigint): never {
  const low = Number(BigInt.asIntN(32, value))
  const high = Number(BigInt.asIntN(32, value >> 32n))
  // The declared types of protobufjs' writer require an object of the class Long. The writer uses only the members
  // `low`, `high` and `unsigned` of this object.
  return { low, high, unsigned: false } as never
}
