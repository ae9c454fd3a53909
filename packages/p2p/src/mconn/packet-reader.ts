import { concatBytes } from '@org/types/bytes'
import type { Packet } from '@org/types/p2p'
import { readLength } from '../framing/read-length.ts'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { readPacket } from './packet-bytes.ts'

/** Cuts a stream into length-prefixed packets. `next` gives `undefined` while a packet is not whole. */
export interface PacketReader {
  readonly push: (bytes: Uint8Array) => void
  readonly next: () => Packet | undefined
}

export function createPacketReader(maxSize: number): PacketReader {
  let buffer: Uint8Array = new Uint8Array(0)
  return {
    push: (bytes) => {
      buffer = buffer.length === 0 ? bytes : concatBytes(buffer, bytes)
    },
    next: () => {
      if (buffer.length === 0) return undefined
      const length = readLength(buffer)
      if (length === undefined) return undefined
      if (length === 'overlong' || length.value > maxSize) {
        throw new MconnError(MCONN_ERRORS.packetSize, `a packet of more than ${maxSize} bytes`, { data: { maxSize } })
      }
      const end = length.size + length.value
      if (buffer.length < end) return undefined
      const packet = decodePacket(buffer.subarray(length.size, end))
      buffer = buffer.subarray(end)
      return packet
    },
  }
}

function decodePacket(bytes: Uint8Array): Packet {
  try {
    return readPacket(bytes)
  } catch (cause) {
    throw new MconnError(MCONN_ERRORS.packet, 'a packet cannot be read', { cause })
  }
}
