import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTxCopies } from './tx-copies.ts'

const KIB = 1024

/** Returns a transaction of `length` bytes that is a part of a buffer of `bufferLength` bytes. */
function txIn(bufferLength: number, length: number, fill = 1): Uint8Array {
  return new Uint8Array(bufferLength).fill(fill).subarray(0, length)
}

test('default: short copies share a buffer of 16 KiB, and keep their bytes', () => {
  const compact = createTxCopies()
  const copies = Array.from({ length: 100 }, (_, i) => compact(txIn(64 * KIB, 250, i)))
  expect(copies).toEqual(Array.from({ length: 100 }, (_, i) => new Uint8Array(250).fill(i)))
  expect(new Set(copies.map(({ buffer }) => buffer)).size).toBe(2)
  expect(new Set(copies.map(({ buffer }) => buffer.byteLength))).toEqual(new Set([16 * KIB]))
})

test.each([
  ['in a short buffer', 16 * KIB, 10],
  ['that is at least half of its buffer', 64 * KIB, 32 * KIB],
])('behavior: a transaction %s is not copied', (_name, bufferLength, length) => {
  const tx = txIn(bufferLength, length)
  expect(createTxCopies()(tx)).toBe(tx)
})

test('behavior: a longer copy has a buffer of its own', () => {
  const copy = createTxCopies()(txIn(64 * KIB, 5 * KIB))
  expect(copy).toEqual(new Uint8Array(5 * KIB).fill(1))
  expect(copy.buffer.byteLength).toBe(5 * KIB)
})

test('behavior: for all lengths, the bytes stay, and the buffer is short or less than twice as long', () => {
  const compact = createTxCopies()
  const cases = fc.record({ tx: fc.integer({ min: 0, max: 40 * KIB }), more: fc.integer({ min: 0, max: 90 * KIB }) })
  fc.assert(
    fc.property(cases, ({ tx: length, more }) => {
      const tx = txIn(length + more, length, length % 251)
      const copy = compact(tx)
      expect(Buffer.compare(copy, tx)).toBe(0)
      expect(copy.buffer.byteLength).toBeLessThanOrEqual(Math.max(16 * KIB, 2 * length))
    }),
  )
})
