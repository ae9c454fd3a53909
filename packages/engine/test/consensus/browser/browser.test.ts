import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { type OneHeight, runOneHeight } from './one-height.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Bundles a file for a browser, as a script that sets `page`. */
async function bundle(input: string) {
  const built = await rolldown({ input: here(input), platform: 'browser', logLevel: 'silent' })
  const { output } = await built.generate({ format: 'iife', name: 'page', minify: true })
  await built.close()
  return output[0]
}

test('the bundle of the consensus entry for browsers contains nothing of Node and no other part of the engine', async () => {
  const { code, imports, dynamicImports, moduleIds } = await bundle('../../../src/entries/consensus.ts')
  expect([...imports, ...dynamicImports]).toEqual([])
  expect(moduleIds.filter((id) => builtinModules.includes(id.replace('node:', '')))).toEqual([])
  expect(code).not.toMatch(/["'`]node:|\brequire\(/)
  const rooms = moduleIds.map((id) => id.replace(/^.*\/packages\/|^.*\/node_modules\//, ''))
  const engine = rooms.filter((id) => id.startsWith('engine/src/'))
  expect(engine.filter((id) => !id.startsWith('engine/src/consensus/machine/'))).toEqual([
    'engine/src/consensus/driver/ticker.ts',
    'engine/src/entries/consensus.ts',
  ])
})

test('four machines decide a height in a context that has nothing of Node', async () => {
  const { code } = await bundle('one-height.ts')
  // A context has the language only. Every browser has these two as well.
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
