import { expect, test } from 'vitest'
import { setKeys } from './set-keys.ts'

test('default: the values of the section change, and every other line stays', () => {
  const text =
    'enable = 1\n[a]\nenable = 2 # two\n\n[statesync] # begins late\n# enable = 3\n enable = 3\nx = 4\n[b]\nenable = 5\n'
  expect(setKeys(text, 'statesync', { enable: 'true', trust_hash: '"AB"' })).toBe(
    'enable = 1\n[a]\nenable = 2 # two\n\n[statesync] # begins late\ntrust_hash = "AB"\n# enable = 3\nenable = true\nx = 4\n[b]\nenable = 5\n',
  )
})

test('behavior: a missing section is added at the end', () => {
  expect(setKeys('a = 1\n', 'statesync', { enable: 'true' })).toBe('a = 1\n\n[statesync]\nenable = true\n')
})
