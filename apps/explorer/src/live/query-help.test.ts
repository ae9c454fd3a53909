import { expect, test } from 'vitest'
import { completed, queryAdvice, suggestionsFor } from './query-help.ts'

const KEYS = ['tx.height', 'app.key', 'app.creator']

test.each([
  ['', KEYS],
  ['app', ['app.key', 'app.creator']],
  ['app.key ', ['=', '>', '>=', '<', '<=', 'CONTAINS', 'EXISTS']],
  ['app.key C', ['CONTAINS']],
  ["app.key = 'na", []],
  ["app.key = 'name' ", ['AND']],
  ['tx.height > 5 ', ['AND']],
  ['app.key EXISTS ', ['AND']],
  ["app.key = 'a' AND tx", ['tx.height']],
  ["app.key = ' AND tx", []],
])('default: after the text %j, the suggestions are %j', (text, wanted) => {
  expect(suggestionsFor(text, KEYS)).toEqual(wanted)
})

test('default: a chosen suggestion replaces the unfinished word', () => {
  expect(completed('tx.height > 5 AND app.k', 'app.key')).toBe('tx.height > 5 AND app.key ')
  expect(completed('app.key C', 'CONTAINS')).toBe("app.key CONTAINS '")
})

test.each([
  ["app.key='name", 'quote is missing'],
  ['app.key="name"', 'single quotes'],
  ["app.key='a' OR app.key='b'", 'no OR'],
  ["app.key='a' and app.key='b'", 'capital'],
  ["app.key != 'a'", 'not equal'],
  ['app.key = name', 'needs single quotes'],
  ['app.key', 'A condition is'],
  ['tx.height >', 'has no value'],
  ['app.key CONTAINS ', 'has no value'],
  ['tx.height > 5 AND ', 'missing after AND'],
])('error: the wrong query %s gets advice about its fault', (query, advice) => {
  expect(queryAdvice(query)).toContain(advice)
})

test.each(["app.key='x OR y'", 'tx.height > 5', 'block.time > TIME 2013-05-03T14:45:00Z', 'app.key EXISTS'])(
  'default: the valid query %s gets no advice',
  (query) => {
    expect(queryAdvice(query)).toBeUndefined()
  },
)
