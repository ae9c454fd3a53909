import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Returns the types as the compiler prints them in its errors, and as editors show them. */
function printed(types: readonly string[]): string[] {
  // The new folder is inside of this package, so that the compiler finds the packages of the workspace.
  const directory = mkdtempSync(path('./type-names-'))
  try {
    const file = join(directory, 'types.ts')
    const lines = types.map((type) => `(null as unknown as ${type}) satisfies never`)
    writeFileSync(file, [`import type { Chain } from '../../src/index.ts'`, ...lines].join('\n'))
    const flags =
      '--noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --pretty false'
    const { stdout } = spawnSync(path('../../../node_modules/.bin/tsc'), [...flags.split(' '), file], {
      encoding: 'utf8',
    })
    return [
      ...stdout.matchAll(/types\.ts\(\d+,\d+\): error TS1360: Type '(.*)' does not satisfy the expected type 'never'/g),
    ].map(([, type = '']) => type)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

test('default: an editor shows what a chain returns by plain names', () => {
  const shown = printed([
    "NonNullable<ReturnType<Chain['block']>>",
    "NonNullable<ReturnType<Chain['block']>>['header']",
    "NonNullable<ReturnType<Chain['block']>>['data']",
    "NonNullable<ReturnType<Chain['block']>>['lastCommit']",
    "NonNullable<ReturnType<Chain['block']>>['header']['lastBlockId']",
    "ReturnType<Chain['results']>",
    "ReturnType<Chain['validators']>",
    "NonNullable<Awaited<ReturnType<Chain['tx']>>>",
  ])
  expect(shown).toEqual([
    'Block',
    'Header',
    'Data',
    'Commit | undefined',
    'BlockId',
    'ResponseFinalizeBlock',
    'readonly Validator[]',
    'TxResult',
  ])
})
