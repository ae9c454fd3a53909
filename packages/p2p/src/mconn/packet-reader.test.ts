import { concatBytes } from '@org/types/bytes'
import { Packet } from '@org/types/p2p'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPacketReader } from './packet-reader.ts'

const MAX = 300
const data = fc.uint8Array({ maxLength: 200 })
const packets = fc.array(fc.record({ channelId: fc.integer({ min: 1, max: 200 }), eof: fc.boolean(), data }), {
  maxLength: 40,
})
/**
 * The pieces into which the stream is cut: `size` is the number of bytes. After a piece whose `all` is true, the test
 * reads every whole packet. After any other piece, it reads only one packet.
 */
const pieces = fc.array(fc.record({ size: fc.integer({ min: 1, max: 1500 }), all: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
})

test('property: packets read back equal for any division of the stream into pieces', () => {
  fc.assert(
    fc.property(packets, pieces, (list, cuts) => {
      const sent = list.map((value): Packet => ({ sum: { case: 'packetMsg', value } }))
      const stream = concatBytes(...sent.map((packet) => Packet.encodeDelimited(packet)))
      const reader = createPacketReader(MAX)
      const got: Packet[] = []
      for (let at = 0, i = 0; at < stream.length; i++) {
        const { size, all } = cuts[i % cuts.length] as { size: number; all: boolean }
        reader.push(stream.slice(at, at + size))
        at += size
        for (let packet = reader.next(); packet !== undefined; packet = all ? reader.next() : undefined)
          got.push(packet)
      }
      for (let packet = reader.next(); packet !== undefined; packet = reader.next()) got.push(packet)
      expect(got).toEqual(sent)
    }),
  )
})

test('error: a packet that is too long is refused, in one piece or in two', () => {
  const refused = expect.objectContaining({ code: 'MCONN_PACKET_SIZE' })
  const whole = createPacketReader(MAX)
  whole.push(Uint8Array.of(0xad, 0x02, ...new Uint8Array(2000)))
  expect(() => whole.next()).toThrow(refused)
  const halves = createPacketReader(MAX)
  halves.push(Uint8Array.of(0xad))
  expect(halves.next()).toBeUndefined()
  halves.push(Uint8Array.of(0x02, ...new Uint8Array(2000)))
  expect(() => halves.next()).toThrow(refused)
})
