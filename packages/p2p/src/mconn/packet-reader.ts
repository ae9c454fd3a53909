import { concatBytes } from '@org/types/bytes'
import type { Packet } from '@org/types/p2p'
import { readLength } from '../framing/read-length.ts'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { readPacket } from './packet-bytes.ts'

/** Cuts a stream into length-prefixed packets. `next` returns `undefined` while the next packet is incomplete. */
export interface PacketReader {
  readonly push: (bytes: Uint8Array) => void
  readonly next: () => Packet | undefined
}

/** The maximum number of bytes of a length prefix. */
const LENGTH_SIZE = 5

export function createPacketReader(maxSize: number): PacketReader {
  let buffer: Uint8Array = new Uint8Array(0)
  /**
   * The argument of the last call of `push`, if the variable `buffer` was not empty at that call. The buffer may have
   * ended with an incomplete packet. So `push` appended the first bytes of its argument: enough bytes to complete this
   * packet. The member `bytes` is the whole argument. The member `from` is the position in the buffer at which the
   * appended bytes begin. When the packet has been read, the rest of `bytes` becomes the buffer without a copy. The
   * variable is `undefined` while the buffer contains all unread bytes.
   */
  let piece: { readonly bytes: Uint8Array; readonly from: number } | undefined

  function merge(): void {
    if (piece === undefined) return
    buffer = concatBytes(buffer.subarray(0, piece.from), piece.bytes)
    piece = undefined
  }

  function advance(end: number): void {
    if (piece === undefined || end < piece.from) {
      buffer = buffer.subarray(end)
      piece &&= { ...piece, from: piece.from - end }
      return
    }
    buffer = piece.bytes.subarray(end - piece.from)
    piece = undefined
  }

  /** Returns the start and the end of the first packet in the buffer; `undefined` while this packet is incomplete. */
  function find(): { readonly start: number; readonly end: number } | undefined {
    if (buffer.length === 0) return undefined
    const length = readLength(buffer)
    if (length === undefined) return undefined
    if (length === 'overlong' || length.value > maxSize) {
      throw new MconnError(MCONN_ERRORS.packetSize, `the peer sent a packet of more than ${maxSize} bytes`, {
        data: { maxSize },
      })
    }
    const end = length.size + length.value
    return buffer.length < end ? undefined : { start: length.size, end }
  }

  return {
    push: (bytes) => {
      merge()
      if (buffer.length === 0) buffer = bytes
      else {
        piece = { bytes, from: buffer.length }
        buffer = concatBytes(buffer, bytes.subarray(0, maxSize + LENGTH_SIZE))
      }
    },
    next: () => {
      let found = find()
      if (found === undefined && piece !== undefined) {
        merge()
        found = find()
      }
      if (found === undefined) return undefined
      const packet = decodePacket(buffer.subarray(found.start, found.end))
      advance(found.end)
      return packet
    },
  }
}

function decodePacket(bytes: Uint8Array): Packet {
  try {
    return readPacket(bytes)
  } catch (cause) {
    throw new MconnError(MCONN_ERRORS.packet, 'a packet cannot be decoded', { cause })
  }
}
