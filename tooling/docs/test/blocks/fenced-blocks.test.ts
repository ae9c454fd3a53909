import { expect, test } from 'vitest'
import { codeOf } from './fenced-blocks.ts'

test('default: fenced blocks are found with their language, line and text', () => {
  const { fenced } = codeOf('# A page\n\n```sh\nhalley init\n```\n\n- item\n\n  ~~~\n  output\n  ~~~\n')
  expect(fenced).toEqual([
    { language: 'sh', line: 3, text: 'halley init\n' },
    { language: '', line: 9, text: '  output\n' },
  ])
})

test('behavior: a longer fence contains shorter ones, and a fence without an end reaches the end of the document', () => {
  expect(codeOf('````md\n```ts\n```\n````\n').fenced).toEqual([{ language: 'md', line: 1, text: '```ts\n```\n' }])
  expect(codeOf('```ts\nconst a = 1').fenced).toEqual([{ language: 'ts', line: 1, text: 'const a = 1\n' }])
})

test('behavior: an indented block is found, but not the text of a list item', () => {
  expect(codeOf('A text:\n\n    halley init\n    halley start\n').indented).toEqual([3])
  expect(codeOf('1. An item\n\n    its second paragraph\n').indented).toEqual([])
  expect(codeOf('```\n\n    code\n```\n').indented).toEqual([])
})
