import { concatBytes } from '@org/types/bytes'
import { Packet } from '@org/types/p2p'
import { MCONN_ERRORS, MconnError } from './errors.ts'

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
      let length = 0
      for (let i = 0; i < buffer.length; i++) {
        const byte = buffer[i] as number
        length += (byte & 0x7f) * 2 ** (7 * i)
        if (length > maxSize || i > 4) {
          throw new MconnError(MCONN_ERRORS.packetSize, `a packet of ${length} bytes, at most ${maxSize}`, {
            data: { length },
          })
        }
        if (byte >= 0x80) continue
        const end = i + 1 + length
        if (buffer.length < end) return undefined
        const packet = decodePacket(buffer.subarray(i + 1, end))
        buffer = buffer.subarray(end)
        return packet
      }
      return undefined
    },
  }
}

function decodePacket(bytes: Uint8Array): Packet {
  try {
    return Packet.decode(bytes)
  } catch (cause) {
    throw new MconnError(MCONN_ERRORS.packet, 'a packet cannot be read', { cause })
  }
}
