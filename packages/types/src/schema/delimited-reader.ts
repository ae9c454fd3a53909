import { concatBytes } from '../bytes/index.ts'
import { EMPTY_BYTES } from './codec.ts'
import { readUvarint } from './uvarint.ts'

/** Reads a stream of messages. Each message has its length before it, as in protobuf's delimited form. */
export interface DelimitedReader {
  /**
   * Passes each complete message, without its length prefix, to `onMessage`, in order. A message is a view of `chunk`,
   * or a copy if it arrived in several chunks. If a length is not allowed, throws the error that `refuse` returns (see
   * {@link createDelimitedReader}). The reader cannot be used after an error.
   */
  readonly push: (chunk: Uint8Array, onMessage: (message: Uint8Array) => void) => void
  /** Returns the number of received bytes that belong to an incomplete message or length prefix. */
  readonly buffered: () => number
}

/** The maximum number of bytes of a length prefix, which is a varint of 64 bits. */
const MAX_PREFIX = 10

/**
 * Reads length-prefixed messages. The announced length is not allocated in advance: memory grows with the received
 * bytes. `refuse` receives the length of a message above `maxBytes`, or `overlong` when the length exceeds 64 bits.
 */
export function createDelimitedReader(
  maxBytes: number,
  refuse: (length: number | 'overlong') => Error,
): DelimitedReader {
  // The received bytes of a length prefix that is not complete yet.
  let prefix: Uint8Array = EMPTY_BYTES
  // The length of the message that is being received, or -1 between messages.
  let wanted = -1
  let parts: Uint8Array[] = []
  let have = 0

  /**
   * Reads a length from position `at` on. The first bytes of the length may have come with earlier chunks. Keeps the
   * bytes of a length that is still incomplete.
   */
  function readLength(chunk: Uint8Array, at: number): { readonly length: number; readonly next: number } | undefined {
    const had = prefix.length
    const bytes = had === 0 ? chunk : concatBytes(prefix, chunk.subarray(at, at + MAX_PREFIX))
    const found = readUvarint(bytes, had === 0 ? at : 0)
    if (found === 'overlong') throw refuse('overlong')
    prefix = found === undefined ? concatBytes(prefix, chunk.subarray(at)) : EMPTY_BYTES
    if (found === undefined) return undefined
    if (found.value > maxBytes) throw refuse(found.value)
    return { length: found.value, next: at + found.size - had }
  }

  return {
    buffered: () => have + prefix.length,
    push: (chunk, onMessage) => {
      let at = 0
      if (wanted >= 0) {
        const taken = Math.min(wanted - have, chunk.length)
        parts.push(chunk.subarray(0, taken))
        have += taken
        if (have < wanted) return
        at = taken
        const message = join(parts, wanted)
        wanted = -1
        parts = []
        have = 0
        onMessage(message)
      }
      while (at < chunk.length) {
        const found = readLength(chunk, at)
        if (found === undefined) return
        const { length } = found
        at = found.next
        if (length > chunk.length - at) {
          wanted = length
          have = chunk.length - at
          parts = have === 0 ? [] : [chunk.subarray(at)]
          return
        }
        onMessage(chunk.subarray(at, at + length))
        at += length
      }
    },
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const message = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    message.set(part, at)
    at += part.length
  }
  return message
}
