import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { catalogVersions } from '../src/index.ts'

test('default: only the rows of the catalog count, with and without quotes', () => {
  const root = mkdtempSync(join(tmpdir(), 'halley-catalog-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const text =
    'allowBuilds:\n  esbuild: true\n\ncatalog:\n  "@a/b": 1.2.3\n  # a comment\n  zod: ^4.0.0\n\noverrides:\n  c: 5\n'
  writeFileSync(join(root, 'pnpm-workspace.yaml'), text)
  expect([...catalogVersions(root)]).toEqual([
    ['@a/b', '1.2.3'],
    ['zod', '^4.0.0'],
  ])
})
