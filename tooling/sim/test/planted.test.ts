import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { searchNamed } from '../src/explore.ts'
import { FOUND_BY } from '../src/found-by.ts'
import { lightJobNamed } from '../src/light-attacks.ts'
import { jobNamed } from '../src/named.ts'
import { PLANTED_BUGS } from '../src/planted/index.ts'
import { placesOf } from '../src/planted-bug.ts'

const root = new URL('../../../', import.meta.url).pathname

const SOURCE_TEXTS = PLANTED_BUGS.flatMap((mutant) =>
  placesOf(mutant).map((place) => ({ ...place, name: mutant.name })),
)

test.each(SOURCE_TEXTS)('default: the source text of $name is in $file exactly once', ({ file, find, replace }) => {
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

test('default: each planted bug has its own name, a run that found it, and a row in the README', () => {
  const names = PLANTED_BUGS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(FOUND_BY).toSorted()).toEqual(names.toSorted())
  const readme = readFileSync(join(root, 'packages/simnet/README.md'), 'utf8')
  const rows = PLANTED_BUGS.map(({ name, about }) => `| \`${name}\` | ${about} | ${FOUND_BY[name]} |`)
  expect(rows.filter((row) => !readme.includes(row))).toEqual([])
  // Each name in `FOUND_BY` must be the name of a run. Otherwise the planted bug would never be found.
  for (const found of Object.values(FOUND_BY))
    expect(jobNamed(found) ?? searchNamed(found) ?? lightJobNamed(found), found).toBeDefined()
})
