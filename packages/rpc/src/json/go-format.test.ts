import { expect, test } from 'vitest'
import { formatValue } from './go-format.ts'

test("default: Go's form of a decoded JSON value", () => {
  const value = { b: [1, 1.5, 1e6, 1e-5, -0.25], a: null, c: { d: true, e: 'text' }, f: [], g: {} }
  expect(formatValue(value)).toBe('map[a:<nil> b:[1 1.5 1e+06 1e-05 -0.25] c:map[d:true e:text] f:[] g:map[]]')
  expect(formatValue(['a', ['b', [[]]]])).toBe('[a [b [[]]]]')
})

test('behavior: the depth that a request may have is no trouble', () => {
  const depth = 9_999
  expect(formatValue(JSON.parse('['.repeat(depth) + ']'.repeat(depth)))).toBe('['.repeat(depth) + ']'.repeat(depth))
  const members = JSON.parse('{"a":'.repeat(depth) + 1 + '}'.repeat(depth))
  expect(formatValue(members)).toBe(`${'map[a:'.repeat(depth)}1${']'.repeat(depth)}`)
})
