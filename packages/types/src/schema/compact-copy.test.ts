import { expect, test } from 'vitest'
import { bytes, compactCopy, field, message, string } from './index.ts'

const Item = message('test.Item', { name: field(1, string), data: field(2, bytes) })
const Outer = message('test.Outer', { item: field(1, Item), other: field(2, bytes) })

test('behavior: the copy of a message keeps only the bytes of its own encoding in memory', () => {
  const given = { name: 'a', data: Uint8Array.of(1, 2, 3) }
  const { item } = Outer.decode(Outer.encode({ item: given, other: new Uint8Array(100_000) }))
  expect(item.data.buffer.byteLength).toBeGreaterThan(100_000)
  const copy = compactCopy(Item, item)
  expect(copy).toEqual(given)
  expect(copy.data.buffer.byteLength).toBe(Item.encode(given).length)
})
