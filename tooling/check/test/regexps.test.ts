import { expect, test } from 'vitest'
import { findRegExps } from '../src/regexps.ts'

test('behavior: literals and built expressions are found with their lines', () => {
  const text = "const a = /x+$/g\nconst b: RegExp = new RegExp(a.source + '$')\nconst c = 4 / 2 / 1"
  expect(findRegExps('a.ts', text)).toEqual([
    { file: 'a.ts', line: 1, text: '/x+$/g', pattern: 'x+$', flags: 'g' },
    { file: 'a.ts', line: 2, text: "new RegExp(a.source + '$')", flags: '' },
  ])
})
