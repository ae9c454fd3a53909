import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64, integer, list, struct, time } from './amino.ts'
import { bytesFromJson, integerFromJson, UINT } from './values.ts'

test('error: -0 is refused where an unsigned integer is expected', () => {
  const uint32 = integer({ goType: 'uint32', min: 0n, max: 2n ** 32n - 1n })
  expect(uint32('0')).toBe(0)
  expect(() => uint32('-0')).toThrow('json: cannot unmarshal number -0 into Go value of type uint32')
  const uint64 = { ...UINT, goType: 'uint64' }
  expect(integerFromJson('"0"', uint64)).toBe(0n)
  expect(() => integerFromJson('"-0"', uint64)).toThrow('json: cannot unmarshal number -0 into Go value of type uint64')
  expect(integer({ goType: 'int32', min: -5n, max: 5n })('-0')).toBe(0)
})

test('behavior: escapes in a time are not decoded, as in the reference', () => {
  expect(time('"2026-11-21T00:23:47Z"')).toBe('2026-11-21T00:23:47Z')
  expect(() => time('"2026-11-21T00:23:4\\u0037Z"')).toThrow('cannot parse "4\\\\u0037Z" as "05"')
})

test('error: a list with too many items is refused before an item is read', () => {
  let read = 0
  const items = list((raw) => {
    read++
    return raw
  })
  const text = (count: number): string => `[${Array.from({ length: count }, () => '{}').join(',')}]`
  expect(() => items(text(10_001))).toThrow('a list in an argument has more than 10000 items')
  expect(read).toBe(0)
  items(text(10_000))
  expect(read).toBe(10_000)
  expect(() => base64(`[${'1,'.repeat(10_000)}1]`)).toThrow('more than 10000 items')
})

test('behavior: a part of a scanned value is not scanned again', () => {
  const deep = struct({ a: struct({ b: list(struct({ c: base64 })) }) })
  expect(deep(' {"a" : { "b": [ {"c": [1, 2 ,null]} , {"c":"AQI="}, null ] } } ')).toEqual({
    a: { b: [{ c: 'AQIA' }, { c: 'AQI=' }, null] },
  })
  expect(() => deep('{"a":{"b":[{"c":[256]}]}}')).toThrow(
    'json: cannot unmarshal number 256 into Go value of type uint8',
  )
  expect(() => deep('{"a":{"b":[{"c":[1,]}]}}')).toThrow('invalid character')
})

test('default: bytes may be a list of numbers, and null counts as 0', () => {
  const form = fc.array(fc.constantFrom('0', '9', '10', '255', ' 7 ', 'null'), { maxLength: 40 })
  fc.assert(
    fc.property(form, (items) => {
      const wanted = items.map((item) => (item === 'null' ? 0 : Number(item)))
      expect([...bytesFromJson(`[${items.join(',')}]`, 'types.Tx')]).toEqual(wanted)
    }),
  )
  for (const item of ['256', '-1', '1.5', '01', '1e1', '"1"', '[1]', 'true'])
    expect(() => bytesFromJson(`[0,${item}]`, 'types.Tx')).toThrow()
})
