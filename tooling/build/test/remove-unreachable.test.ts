import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeUnreachable } from '../src/remove-unreachable.ts'

const ENTRIES = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
const IMPORTS = { '#port': { browser: './dist/port/browser.js', default: './dist/port/node.js' } }

/**
 * Writes a package with these built files. Each file except a bundle also gets a source file with the same text.
 * Returns the folder of the package.
 */
function packageWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'halley-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const manifest = JSON.stringify({ publishConfig: { exports: ENTRIES, imports: IMPORTS } })
  const base = { 'package.json': manifest, 'dist/port/browser.js': '', 'dist/port/node.js': '' }
  for (const [path, text] of Object.entries({ ...base, ...files })) {
    const source = path.replace('dist/', 'src/').replace(/\.(d\.ts|js)$/, '.ts')
    for (const file of path.includes('bundle') ? [path] : [source, path]) {
      mkdirSync(join(folder, dirname(file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
  }
  return folder
}

const filesLeft = (folder: string): string[] =>
  readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path))
    .toSorted()

test('the files that an entry imports are kept, in every form of an import', () => {
  const folder = packageWith({
    'dist/index.js': `import { a } from './inner/a.js'\nexport * from "./b.js"\nconst c = () => import('./c.js')\nimport './d.js'`,
    'dist/inner/a.js': `export const a = new URL('../e.js', import.meta.url), folder = new URL('../inner', import.meta.url)`,
    'dist/b.js': '',
    'dist/c.js': '',
    'dist/d.js': '',
    'dist/e.js': '',
    'dist/index.d.ts': `export type { A } from './inner/a.ts'\nexport declare const b: import("./b.js").B`,
    'dist/inner/a.d.ts': '',
    'dist/b.d.ts': '',
  })
  const before = filesLeft(folder)
  expect(removeUnreachable(folder)).toEqual([])
  expect(filesLeft(folder)).toEqual(before)
})

test('the files that no entry imports are removed, and folders without files too', () => {
  const folder = packageWith({
    'dist/index.js': `import './inner/a.js'`,
    'dist/inner/a.js': '',
    'dist/inner/a.d.ts': '',
    'dist/index.d.ts': 'export {}',
    'dist/types/only.js': `import '../index.js'`,
    'dist/types/only.d.ts': '',
  })
  expect(
    removeUnreachable(folder)
      .map((file) => file.slice(folder.length + 1))
      .toSorted(),
  ).toEqual(['dist/inner/a.d.ts', 'dist/types/only.d.ts', 'dist/types/only.js'])
  expect(readdirSync(join(folder, 'dist')).toSorted()).toEqual(['index.d.ts', 'index.js', 'inner', 'port'])
})

test('the files that a program starts, and files without a source, are kept', () => {
  const folder = packageWith({
    'dist/index.js': '',
    'dist/index.d.ts': '',
    'bin/tool': 'exec node "$here/dist/main.js" "$@"',
    'dist/main.js': `import './run.js'`,
    'dist/run.js': '',
    'dist/bundle/part.js': '',
  })
  expect(removeUnreachable(folder)).toEqual([])
})

test('an entry of the manifest, or of a program, that is missing is an error', () => {
  const folder = packageWith({ 'dist/index.js': '' })
  expect(() => removeUnreachable(folder)).toThrow(/index\.d\.ts is missing/)
  const program = packageWith({ 'dist/index.js': '', 'dist/index.d.ts': '', 'bin/tool': 'exec node dist/main.js' })
  expect(() => removeUnreachable(program)).toThrow(/main\.js is missing/)
})
