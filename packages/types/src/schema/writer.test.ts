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

test('behavior: long bytes in nested messages are the bytes that a reader expects, and are not copied at the end', () => {
  const value = new Uint8Array(1_000_000).fill(7)
  const writer = new Writer()
  writer.begin()
  writer.uint32(1)
  writer.begin()
  writer.bytes(value)
  writer.string('after')
  writer.end()
  writer.end()
  const bytes = writer.finish()
  // The output has 11 bytes in addition to `value` and the text `after`. One byte is the integer 1. The length prefixes
  // of the two messages and of `value` have 3 bytes each. The length prefix of the text has 1 byte.
  expect(bytes.length).toBe(value.length + 'after'.length + 11)
  expect(bytes.subarray(10, 10 + value.length)).toEqual(value)
  expect(bytes.subarray(-6)).toEqual(Uint8Array.of(5, ...utf8ToBytes('after')))
  expect(bytes.buffer.byteLength).toBeGreaterThan(bytes.length)
  expect(bytes.buffer.byteLength).toBeLessThan(bytes.length + 1000)
})
