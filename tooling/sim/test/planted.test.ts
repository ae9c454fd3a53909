import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FOUND_BY } from '../src/found-by.ts'
import { MUTANTS } from '../src/planted.ts'

const root = new URL('../../../', import.meta.url).pathname

test.each(MUTANTS)('default: the place of $name is there once', ({ file, find, replace }) => {
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

test('default: each has a name of its own, and what found it is a bug that is planted', () => {
  const names = MUTANTS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(FOUND_BY).filter((name) => !names.includes(name))).toEqual([])
})
