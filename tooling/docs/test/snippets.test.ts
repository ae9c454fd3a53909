import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUN_SNIPPETS } from './run-snippets.ts'

const root = new URL('../../../', import.meta.url).pathname
const SNIPPETS = 'tooling/docs/snippets'

/**
 * The files that are shown in the pages and tested by another test. For each file, the path of the test that runs or
 * imports it.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'tooling/examples/src/counter.ts': 'tooling/examples/test/counter.test.ts',
  'examples/token/app.ts': 'examples/token/app.test.ts',
  // This test installs the packages from a registry on loopback, and runs the commands of the snippet.
  'tooling/docs/snippets/new-project.sh': 'tooling/consumer/test/consumer.test.ts',
}

function pages(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return pages(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

const shown = pages('docs').flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^ *<<< (\S+)$/gm)].map(([, path = '']) => normalize(join(dirname(page), path)))
})
const files = [...new Set(shown)]
const inFolder = readdirSync(join(root, SNIPPETS)).map((name) => `${SNIPPETS}/${name}`)

describe('every snippet is a file that a test runs', () => {
  test('default: the documents show snippets', () => {
    expect(files.length).toBeGreaterThan(30)
  })

  test.each(files)('default: %s', (file) => {
    expect(existsSync(join(root, file))).toBe(true)
    const elsewhere = ELSEWHERE[file]
    if (elsewhere !== undefined) return expect(existsSync(join(root, elsewhere))).toBe(true)
    if (file.endsWith('.test.ts')) return expect(dirname(file)).toBe(SNIPPETS)
    const name = relative(SNIPPETS, file)
    const isImported = inFolder.some(
      (test) => test.endsWith('.test.ts') && readFileSync(join(root, test), 'utf8').includes(`'./${name}'`),
    )
    expect(isImported || name in RUN_SNIPPETS, `${name} is neither imported by a test nor in RUN_SNIPPETS`).toBe(true)
  })

  test('default: each snippet is shown on a page', () => {
    expect(inFolder.filter((file) => !files.includes(file))).toEqual([])
  })
})
