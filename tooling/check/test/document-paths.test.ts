import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = new URL('../../../', import.meta.url).pathname
const PATH = /`([\w./-]+\.ts|[\w-]+(?:\/[\w-]+)+)`/g

/**
 * Returns the paths that a table row names although they do not exist. If a file name has no folder, its folder is that
 * of the path before it in the row.
 */
function missingPaths(row: string): readonly string[] {
  let folder = ''
  return [...row.matchAll(PATH)].flatMap(([, path = '']) => {
    const candidates = [path, join('packages', path), join(folder, path)]
    const found = candidates.find((candidate) => existsSync(join(ROOT, candidate)))
    if (found === undefined) return [path]
    folder = found.endsWith('.ts') ? dirname(found) : found
    return []
  })
}

describe('paths in documents', () => {
  test.each([
    ['LIMITS.md', 200],
    ['docs/hostile-input.md', 40],
  ])('behavior: each path of a row of %s exists', (file, atLeast) => {
    const rows = readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '))
    expect(rows.length).toBeGreaterThan(atLeast)
    expect(rows.flatMap((row) => missingPaths(row).map((path) => `${path}: ${row.slice(0, 60)}`))).toEqual([])
  })

  test('error: a path that does not exist is found', () => {
    expect(missingPaths('| queue | `rpc/src/http/server.ts`, `head.ts`, `lost.ts` | 1 |')).toEqual(['lost.ts'])
    expect(missingPaths('| queue | `engine/src/gone` | 1 |')).toEqual(['engine/src/gone'])
  })
})
