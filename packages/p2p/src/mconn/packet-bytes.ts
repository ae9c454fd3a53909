import { Packet, type PacketMsg } from '@org/types/p2p'
import { fieldSize, uvarintSize, writeUvarint } from '@org/types/schema'

// Every message passes through these functions, so for speed they read and write the bytes without the schema `Packet`.
// The bytes are the same as those of the schema.

const MESSAGE_TAG = (3 << 3) | 2
const CHANNEL_TAG = 1 << 3
const EOF_TAG = 2 << 3
const DATA_TAG = (3 << 3) | 2

function bodySize({ channelId, eof, data }: PacketMsg): number {
  const channel = channelId === 0 ? 0 : 1 + uvarintSize(channelId)
  const payload = data.length === 0 ? 0 : fieldSize(data.length)
  return channel + (eof ? 2 : 0) + payload
}

/** Returns the number of bytes of a length-prefixed packet that contains this piece of a message. */
export function packetSize(packet: PacketMsg): number {
  const body = bodySize(packet)
  const whole = fieldSize(body)
  return uvarintSize(whole) + whole
}

/** Writes a length-prefixed packet at the position `at`, and returns the position after the packet. */
export function writePacket(into: Uint8Array, at: number, packet: PacketMsg): number {
  const { channelId, eof, data } = packet
  const body = bodySize(packet)
  let place = writeUvarint(into, at, 1 + uvarintSize(body) + body)
  into[place++] = MESSAGE_TAG
  place = writeUvarint(into, place, body)
  if (channelId !== 0) {
    into[place++] = CHANNEL_TAG
    place = writeUvarint(into, place, channelId)
  }
  if (eof) {
    into[place++] = EOF_TAG
    into[place++] = 1
  }
  if (data.length === 0) return place
  into[place++] = DATA_TAG
  place = writeUvarint(into, place, data.length)
  into.set(data, place)
  return place + data.length
}

/**
 * Reads a packet with a piece of a message, if the packet has the form that every node writes. Returns `undefined` for
 * any other packet; such a packet must be read with the schema.
 */
function readPlain(bytes: Uint8Array): PacketMsg | undefined {
  let at = 0
  // Reads a length or a channel of one or two bytes. This is enough for every packet of the usual form.
  const short = (): number => {
    const low = bytes[at++] as number
    if (low < 0x80) return low
    const high = bytes[at++] as number
    return high < 0x80 ? (low & 0x7f) | (high << 7) : Number.NaN
  }
  if (bytes[at++] !== MESSAGE_TAG || short() !== bytes.length - at) return undefined
  if (bytes[at++] !== CHANNEL_TAG) return undefined
  const channelId = short()
  const eof = bytes[at] === EOF_TAG && bytes[at + 1] === 1
  if (eof) at += 2
  if (!(channelId > 0) || bytes[at++] !== DATA_TAG || short() !== bytes.length - at) return undefined
  return { channelId, eof, data: bytes.subarray(at) }
}

/** Decodes a packet without its length. Throws a {@link SchemaError}. */
export function readPacket(bytes: Uint8Array): Packet {
  const value = readPlain(bytes)
  return value === undefined ? Packet.decode(bytes) : { sum: { case: 'packetMsg', value } }
}
