import { expect, test } from 'vitest'
import { formatValue } from './go-format.ts'

test("default: Go's form of a decoded JSON value", () => {
  const value = { b: [1, 1.5, 1e6, 1e-5, -0.25], a: null, c: { d: true, e: 'text' }, f: [], g: {} }
  expect(formatValue(value)).toBe('map[a:<nil> b:[1 1.5 1e+06 1e-05 -0.25] c:map[d:true e:text] f:[] g:map[]]')
  expect(formatValue(['a', ['b', [[]]]])).toBe('[a [b [[]]]]')
})

test('behavior: a zero keeps its sign, half of a surrogate pair is U+FFFD, names are sorted by their bytes', () => {
  expect(formatValue(JSON.parse('[0,-0,-0.0]'))).toBe('[0 -0 -0]')
  expect(formatValue(JSON.parse('{"\\ud83d":"a\\udc00"}'))).toBe('map[\ufffd:a\ufffd]')
  expect(formatValue({ '\u{1f600}': 2, '\uffee': 1 })).toBe('map[\uffee:1 \u{1f600}:2]')
})

test('behavior: the maximum depth of a request is formatted without a fault', () => {
  const depth = 9_999
  expect(formatValue(JSON.parse('['.repeat(depth) + ']'.repeat(depth)))).toBe('['.repeat(depth) + ']'.repeat(depth))
  const members = JSON.parse('{"a":'.repeat(depth) + 1 + '}'.repeat(depth))
  expect(formatValue(members)).toBe(`${'map[a:'.repeat(depth)}1${']'.repeat(depth)}`)
})
