import { expect, test } from 'vitest'
import { judge } from '../src/replay/compare.ts'

const answer = (body: string, headers: object = { 'Content-Length': String(body.length) }) => ({
  status: 200,
  headers,
  body,
})
const rules = { volatile: [{ id: '*', path: '\\.body\\.now', reason: 'the clock' }], deviations: [] }

function compare(wanted: object, got: object, deviations: readonly string[] = []) {
  const declared = deviations.map((id) => ({ id, reason: 'declared' }))
  const exchange = { id: 'status.get', response: { ...wanted } }
  const { comparison, differences } = judge(exchange, { ...got }, { ...rules, deviations: declared })
  return [comparison, ...differences.map(({ path }) => path)]
}

test('default: answers are equal, or only members that may differ are different', () => {
  expect(compare(answer('{"a":1}'), answer('{"a":1}'))).toEqual(['equal'])
  expect(compare(answer('{"a":1,"now":5}'), answer('{"a":1,"now":10}'))).toEqual(['volatile'])
  expect(compare({ frames: ['{"a":1}'] }, { frames: ['{"a":1}'] })).toEqual(['equal'])
})

test('default: other values are a difference, unless a deviation is declared', () => {
  expect(compare(answer('{"a":1}'), answer('{"a":2}'))).toEqual(['different', '.body.a'])
  expect(compare(answer('{"a":1}'), answer('{"a":10}'))).toEqual(['different', '.body.a'])
  expect(compare(answer('{"a":1}'), answer('{"a":10}'), ['status.*'])).toEqual(['deviation', '.body.a'])
  expect(compare(answer('{"a":1}'), answer('{"a":1,"b":2}'))).toEqual(['different', '.body.b'])
  expect(compare(answer('no'), answer('not'))).toEqual(['different', '.body'])
  expect(compare(answer('{}', { Server: 'a' }), answer('{}', { Server: 'b' }))).toEqual([
    'different',
    '.headers.Server',
  ])
})

test('error: equal JSON in a text of another or the same length is a difference', () => {
  expect(compare(answer('{"a":1}'), answer('{"a": 1}'))).toEqual(['different', '.body'])
  expect(compare(answer('{"a":1,"b":2}'), answer('{"b":2,"a":1}'))).toEqual(['different', '.body'])
  expect(compare({ frames: ['{"a":1}', '{"b":1}'] }, { frames: ['{"a":1}', '{"b":1}\n'] })).toEqual([
    'different',
    '.frames[1]',
  ])
})

test('error: a different text is reported, also if another frame has a member that may differ', () => {
  const volatile = [{ id: '*', path: '\\.frames\\[0\\]\\.now', reason: 'the clock' }]
  const exchange = { id: 'subscribe', response: { frames: ['{"now":1}', '{"a":1}'] } }
  const { comparison } = judge(exchange, { frames: ['{"now":2}', '{"a": 1}'] }, { volatile, deviations: [] })
  expect(comparison).toBe('different')
})
