import { expect, test } from 'vitest'
import { integer, time } from './amino.ts'
import { integerFromJson, UINT } from './values.ts'

test('error: an integer without a sign is not -0 either', () => {
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
