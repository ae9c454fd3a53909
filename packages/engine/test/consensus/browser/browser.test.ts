import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { type OneHeight, runOneHeight } from './one-height.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Bundles a file into a script for a browser. The script puts the file's exports into the global variable `page`. */
async function bundle(input: string) {
  const built = await rolldown({ input: here(input), platform: 'browser', logLevel: 'silent' })
  const { output } = await built.generate({ format: 'iife', name: 'page', minify: true })
  await built.close()
  return output[0]
}

test.each([
  {
    entry: 'consensus',
    room: 'engine/src/consensus/machine/',
    besides: ['engine/src/consensus/driver/ticker.ts', 'engine/src/entries/consensus.ts'],
  },
  { entry: 'query', room: 'engine/src/events/query/', besides: ['engine/src/entries/query.ts'] },
])(
  'the bundle of the entry $entry for browsers has nothing of Node, and only its room',
  async ({ entry, ...wanted }) => {
    const { code, imports, dynamicImports, moduleIds } = await bundle(`../../../src/entries/${entry}.ts`)
    expect([...imports, ...dynamicImports]).toEqual([])
    expect(moduleIds.filter((id) => builtinModules.includes(id.replace('node:', '')))).toEqual([])
    expect(code).not.toMatch(/["'`]node:|\brequire\(/)
    const engine = moduleIds.map((id) => id.replace(/^.*\/packages\//, '')).filter((id) => id.startsWith('engine/src/'))
    expect(engine.filter((id) => !id.startsWith(wanted.room))).toEqual(wanted.besides)
  },
)

test('four machines decide a height in a context that has nothing of Node', async () => {
  const { code } = await bundle('one-height.ts')
  // A context of the module `node:vm` has only what the language itself defines. Every browser also has `TextDecoder`
  // and `TextEncoder`, so the test adds these two.
  const context = createContext({ TextDecoder, TextEncoder })
  runInContext(code, context)
  const result = (await runInContext('page.runOneHeight()', context)) as OneHeight
  expect(result).toEqual(await runOneHeight())
  expect(result.sent.filter((name) => name === 'proposal')).toHaveLength(1)
  expect(result.sent.filter((name) => name === 'prevote')).toHaveLength(4)
  expect(result.sent.filter((name) => name === 'precommit')).toHaveLength(4)
  expect(new Set(result.committed).size).toBe(1)
  expect(result.heights).toEqual([2, 2, 2, 2])
  expect(result.txs).toBe(1)
})
