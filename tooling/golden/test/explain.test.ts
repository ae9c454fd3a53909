import { expect, test } from 'vitest'
import { differences, explainDifferences } from '../src/index.ts'

const page = (link: string): string => `${'x'.repeat(6000)}<a href="${link}">${'y'.repeat(6000)}`

test('default: the explanation of a different long answer is a few lines around the first difference', () => {
  const found = [...differences({ body: page('/block'), status: 200 }, { body: page('/tip'), status: 404 })]
  const text = explainDifferences([{ id: 'get-root', differences: found }])
  expect(text).toBe(
    `get-root: .body differs at character 6010\n  wanted: …${'x'.repeat(30)}<a href="/block">${'y'.repeat(73)}…\n  got:    …${'x'.repeat(30)}<a href="/tip">${'y'.repeat(75)}…\n  and 1 more differences`,
  )
})

test('edge: the explanation of equal answers is empty, and that of many answers ends with a count', () => {
  expect(explainDifferences([])).toBe('')
  const many = Array.from({ length: 9 }, (_, i) => ({ id: `q${i}`, differences: [...differences({ a: 1 }, {})] }))
  expect(explainDifferences(many)).toMatch(
    /^q0: \.a differs at character 0\n {2}wanted: 1\n {2}got: {4}nothing\n[\s\S]*and 4 more answers$/,
  )
})
