import { expect, test } from 'vitest'
import { quotedText, shownText } from './shown-text.ts'

test('default: a text is cut, and its control characters are escaped', () => {
  expect(shownText('no key')).toBe('no key')
  expect(shownText('a\u001b[2J\u009b31m\n')).toBe('a\\u001b[2J\\u009b31m\\u000a')
  expect(shownText('abcdef', 3)).toBe('abc...')
  expect(shownText('a'.repeat(201))).toBe(`${'a'.repeat(200)}...`)
})

test('default: a quoted text is cut before it gets its quotes, and each control character is escaped once', () => {
  expect(quotedText('say "no"')).toBe('"say \\"no\\""')
  expect(quotedText('a\u001b\u009b\n')).toBe('"a\\u001b\\u009b\\n"')
  expect(quotedText('a\u001bcdef', 3)).toBe('"a\\u001bc..."')
})
