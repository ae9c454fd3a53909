import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './event-reader.ts'

function frame(text: string, opcode = 1): Buffer {
  const { length } = text
  const head =
    length < 126
      ? Buffer.of(0x80 | opcode, length)
      : length < 65_536
        ? Buffer.of(0x80 | opcode, 126, length >> 8, length & 0xff)
        : Buffer.concat([Buffer.of(0x80 | opcode, 127), Buffer.alloc(8)])
  if (length >= 65_536) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, Buffer.from(text)])
}

const event = (height: number, size: number): string =>
  `{"id":1,"result":{"query":"q","data":{"height":"${height}","rest":"${'x'.repeat(size)}"}}}`

test('default: reads every event with its height, for any cuts of the bytes', () => {
  const sizes = fc.array(fc.constantFrom(0, 40, 300, 5000, 70_000), { minLength: 1, maxLength: 8 })
  const cuts = fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(sizes, cuts, (of, lengths) => {
      const texts = of.map((size, i) => event(98 + i, size))
      const bytes = Buffer.concat([
        frame('{"id":1,"result":{}}'),
        frame('', 9),
        ...texts.map((text) => frame(text)),
        frame('{"id":1,"error":{}}'),
      ])
      const seen = { heights: [] as number[], bytes: 0, pings: 0, others: 0 }
      const read = createEventReader({
        onEvents: (height, count) => seen.heights.push(...Array.from({ length: count }, () => height)),
        onBytes: (count) => {
          seen.bytes += count
        },
        onPing: () => seen.pings++,
        onOther: () => seen.others++,
      })
      // All reads use the same buffer, because the socket of the benchmark also reads into a single buffer.
      const buffer = Buffer.alloc(9000)
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = Math.min(lengths[i % lengths.length] as number, bytes.length - at)
        bytes.copy(buffer, 0, at, at + size)
        read(buffer, 0, size)
        at += size
      }
      expect(seen.heights).toEqual(texts.map((_, i) => 98 + i))
      expect([seen.pings, seen.others]).toEqual([1, 2])
      expect(seen.bytes).toBe(texts.reduce((sum, { length }) => sum + length, 0) + 39)
    }),
    { numRuns: 60 },
  )
})
