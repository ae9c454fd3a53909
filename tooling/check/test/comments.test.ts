import { expect, test } from 'vitest'
import { findComments } from '../src/comments.ts'

test('behavior: comments are found with their first lines, and texts that look like comments are not', () => {
  const text = [
    "const url = 'http://host' // the address",
    '/**',
    ' * First line,',
    ' * second line.',
    ' */',
    ['const a = `/* no ', '{url /* inside */} comment */`'].join('$'),
    '  // one',
    '  // block',
    'const b = /\\/\\/ no comment/',
    '// biome-ignore lint: a note for a tool',
  ].join('\n')
  expect(findComments(text)).toEqual([
    { line: 1, text: 'the address' },
    { line: 2, text: 'First line, second line.' },
    { line: 6, text: 'inside' },
    { line: 7, text: 'one block' },
  ])
})
