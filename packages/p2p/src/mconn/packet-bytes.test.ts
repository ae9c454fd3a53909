import { Packet } from '@org/types/p2p'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packetSize, readPacket, writePacket } from './packet-bytes.ts'

const packets = fc.record({
  channelId: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 2 ** 27 })),
  eof: fc.boolean(),
  data: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 16_000, maxLength: 20_000 })),
})

test('property: packets have the bytes that the schema writes, and read back equal', () => {
  fc.assert(
    fc.property(packets, (packet) => {
      const expected = Packet.encodeDelimited({ sum: { case: 'packetMsg', value: packet } })
      const bytes = new Uint8Array(packetSize(packet) + 2)
      expect(writePacket(bytes, 1, packet)).toBe(bytes.length - 1)
      expect(bytes.subarray(1, -1)).toEqual(expected)
      const inner = Packet.encode({ sum: { case: 'packetMsg', value: packet } })
      expect(readPacket(inner)).toEqual(Packet.decode(inner))
    }),
  )
})

test('property: any bytes are decoded as the schema decodes them', () => {
  const outcome = (read: (bytes: Uint8Array) => Packet, bytes: Uint8Array): unknown => {
    try {
      return read(bytes)
    } catch (error) {
      return (error as Error).message
    }
  }
  const tags = fc.constantFrom(0x1a, 0x08, 0x10, 0x01, 0x00, 0x20, 0x80, 0x7f, 2, 3, 4, 5, 6)
  const lists = fc.array(fc.oneof(tags, fc.integer({ min: 0, max: 255 })), { maxLength: 14 })
  fc.assert(
    fc.property(lists, fc.boolean(), (list, framed) => {
      const bytes = Uint8Array.from(framed ? [0x1a, list.length, ...list] : list)
      expect(outcome(readPacket, bytes)).toEqual(outcome(Packet.decode, bytes))
    }),
    { numRuns: 5000, examples: [[[8, 8, 0x1a, 0x80], true]] },
  )
})
