import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { METHOD_NAMES } from '../src/index.ts'
import { temporaryDirectory } from './helpers.ts'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Returns the names of the given types as the compiler prints them in its errors, and as editors show them. */
async function printed(types: readonly string[]): Promise<string[]> {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'types.ts')
  const lines = types.map((type) => `(null as unknown as ${type}) satisfies never`)
  const header = `import type { Application, RequestOf } from '${path('../src/index.ts')}'`
  writeFileSync(file, [header, ...lines].join('\n'))
  const flags =
    '--noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --pretty false'
  const tsc = path('../../../node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, [...flags.split(' '), file], { encoding: 'utf8' })
  return [
    ...stdout.matchAll(/types\.ts\(\d+,\d+\): error TS1360: Type '(.*)' does not satisfy the expected type 'never'/g),
  ].map(([, type = '']) => type)
}

test('default: an editor shows the methods of an application and their arguments with short type names', async () => {
  const methods = METHOD_NAMES.map((name) => `NonNullable<Application['${name}']>`)
  const members = ['txs', 'decidedLastCommit', 'misbehavior'].map((name) => `RequestOf<'finalizeBlock'>['${name}']`)
  const shown = await printed([...methods, ...members])
  expect(shown).toHaveLength(methods.length + members.length)
  for (const type of shown.slice(0, methods.length)) {
    expect(type).toMatch(/^\(request: Request\w+\) => (Maybe)?Answer<\w+>$/)
  }
  expect(shown.slice(methods.length)).toEqual([
    'readonly Uint8Array<ArrayBufferLike>[]',
    'CommitInfo',
    'readonly Misbehavior[]',
  ])
})
