import { quoteText } from '../json/quote.ts'
import { GRPC_STATUS, type GrpcStatus } from './status.ts'

/** A message on the wire begins with one byte of flags and four bytes of length. */
const HEAD_BYTES = 5

export type FrameState =
  | { readonly kind: 'more' }
  | { readonly kind: 'message'; readonly bytes: Uint8Array }
  | { readonly kind: 'bad'; readonly status: GrpcStatus }

/** Reads the first message of a call. Bytes after that message are ignored, as in the reference. */
export interface FrameReader {
  readonly push: (chunk: Uint8Array) => FrameState
  /** Returns the number of bytes of memory that the reader uses. */
  readonly heldBytes: () => number
  /**
   * Returns the status for a call whose client ended the stream before the message was complete. The reference returns
   * the same status.
   */
  readonly endStatus: () => GrpcStatus
}

const MORE: FrameState = { kind: 'more' }

function bad(code: GrpcStatus['code'], message: string): FrameState {
  return { kind: 'bad', status: { code, message } }
}

/** Returns the status that refuses a call with compressed messages. */
export function noDecompressor(compression: string): GrpcStatus {
  const message = `grpc: Decompressor is not installed for grpc-encoding ${quoteText(compression.slice(0, 64))}`
  return { code: GRPC_STATUS.unimplemented, message }
}

/**
 * Makes a reader of one message. The reader refuses the message as soon as its first five bytes give a length above
 * `maxBytes`. Its memory grows with the received bytes, not with that length.
 */
export function createFrameReader(maxBytes: number, compression: string | undefined): FrameReader {
  let buffer = new Uint8Array(0)
  let filled = 0

  function append(chunk: Uint8Array): void {
    const needed = filled + chunk.length
    if (needed > buffer.length) {
      const grown = new Uint8Array(Math.min(Math.max(needed, buffer.length * 2), maxBytes + HEAD_BYTES))
      grown.set(buffer.subarray(0, filled))
      buffer = grown
    }
    buffer.set(chunk, filled)
    filled = needed
  }

  function headFault(length: number): FrameState | undefined {
    if (length > maxBytes)
      return bad(GRPC_STATUS.resourceExhausted, `grpc: received message larger than max (${length} vs. ${maxBytes})`)
    if (buffer[0] === 0) return undefined
    if (buffer[0] !== 1) return bad(GRPC_STATUS.internal, `grpc: received unexpected payload format ${buffer[0]}`)
    if (compression === undefined || compression === 'identity')
      return bad(GRPC_STATUS.internal, 'grpc: compressed flag set with identity or empty encoding')
    return { kind: 'bad', status: noDecompressor(compression) }
  }

  return {
    heldBytes: () => buffer.length,
    endStatus: () => ({ code: GRPC_STATUS.unknown, message: filled < HEAD_BYTES ? 'EOF' : 'unexpected EOF' }),
    push: (chunk) => {
      append(chunk.subarray(0, maxBytes + HEAD_BYTES - filled))
      if (filled < HEAD_BYTES) return MORE
      const length = new DataView(buffer.buffer).getUint32(1)
      const fault = headFault(length)
      if (fault !== undefined) return fault
      if (filled < HEAD_BYTES + length) return MORE
      return { kind: 'message', bytes: buffer.subarray(HEAD_BYTES, HEAD_BYTES + length) }
    },
  }
}

/** Returns a message in the form in which it is sent, uncompressed. */
export function frame(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + message.length)
  new DataView(bytes.buffer).setUint32(1, message.length)
  bytes.set(message, HEAD_BYTES)
  return bytes
}
