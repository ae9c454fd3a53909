import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8ToBytes } from '../bytes/index.ts'
import { Writer } from './writer.ts'

const size = fc.oneof(
  { weight: 20, arbitrary: fc.nat({ max: 300 }) },
  { weight: 1, arbitrary: fc.nat({ max: 40_000 }) },
)

test('behavior: text that is not well-formed is written as its original bytes', () => {
  for (const text of ['\udc80', `${'long '.repeat(20)}\udcff`]) {
    const writer = new Writer()
    writer.string(text)
    const bytes = utf8ToBytes(text)
    expect(writer.finish()).toEqual(Uint8Array.of(bytes.length, ...bytes))
  }
})

test('behavior: an aborted message is discarded, and earlier messages stay', () => {
  const writer = new Writer()
  writer.uint32(7)
  writer.begin()
  writer.bytes(new Uint8Array(9000))
  writer.begin()
  writer.abandon()
  expect(writer.size).toBe(1)
  writer.uint32(8)
  expect(writer.finish()).toEqual(Uint8Array.of(7, 8))
})

test('behavior: written bytes do not change when more is written', () => {
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const written = sizes.map((length, i) => {
        const writer = new Writer()
        writer.bytes(new Uint8Array(length).fill(i))
        return writer.finish()
      })
      for (const [i, bytes] of written.entries()) {
        const length = sizes[i] as number
        expect(bytes.subarray(bytes.length - length)).toEqual(new Uint8Array(length).fill(i))
      }
    }),
    { numRuns: 30 },
  )
})
