import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../../../', import.meta.url)
const TABLES = readFileSync(new URL('../../docs/advisories.md', import.meta.url), 'utf8')

/** The folders to which the paths in `docs/advisories.md` are relative. */
const FOLDERS = ['', 'packages/', 'packages/engine/']

/** Returns the text of a file that `docs/advisories.md` names; `undefined` if the file does not exist. */
function textOf(path: string): string | undefined {
  const url = FOLDERS.map((folder) => new URL(folder + path, ROOT)).find((candidate) => existsSync(candidate))
  return url && readFileSync(url, 'utf8')
}

/**
 * Returns every test file that `docs/advisories.md` names, with the test titles that follow the name:
 * `` `file`: "one title", "another" ``.
 */
function namedTests(): readonly (readonly [file: string, titles: readonly string[]])[] {
  return [...TABLES.matchAll(/`([\w/.-]+\.test\.ts)`([^`|\n]*)/g)].map(([, file = '', after = '']) => [
    file,
    [...after.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  ])
}

test('every test that the document names exists, with its title', () => {
  const named = namedTests()
  expect(named.length).toBeGreaterThan(50)
  for (const [file, titles] of named) {
    // The introduction of `docs/advisories.md` names files of `test/network` without their folder.
    const text = textOf(file) ?? textOf(`test/network/${file}`)
    expect(text, file).toBeDefined()
    for (const title of titles) expect(text?.includes(title), `${file}: ${title}`).toBe(true)
  }
})

test.each(['advisories', 'advisory-rules'])('%s.test.ts has a test for each row that refers to it', (file) => {
  const tests = textOf(`test/network/${file}.test.ts`) ?? ''
  const rows = TABLES.split('\n').filter((line) => line.includes(`\`${file}\``))
  expect(rows.length).toBeGreaterThan(5)
  for (const row of rows) {
    const ids = row.split('|')[1]?.match(/GHSA(?:-[a-z0-9]{4}){3}|CVE-\d+-\d+|ASA-\d+-\d+|issue \d+/g) ?? []
    expect(
      ids.some((id) => tests.includes(id)),
      row,
    ).toBe(true)
  }
})
