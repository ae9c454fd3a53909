import { readFileSync } from 'node:fs'
import { findProgram } from '@org/golden'
import { expect, test } from 'vitest'
import { createRandomSource } from '../src/decode/random-source.ts'
import { describeFound } from '../src/rpc/command.ts'
import { DECLARED } from '../src/rpc/declared.ts'
import { mutateRequest } from '../src/rpc/mutate-request.ts'
import { startOurNode, startTargetNodes } from '../src/rpc/nodes.ts'
import { search } from '../src/rpc/search.ts'
import { isAllowed, seedsOf } from '../src/rpc/seeds.ts'

const root = new URL('../../../', import.meta.url)
const cometbft = findProgram('cometbft', 'requests made by chance, to both nodes on copies of one home')

const forever = Number.POSITIVE_INFINITY

test('default: each declared difference has its section in DEVIATIONS.md', () => {
  const text = readFileSync(new URL('packages/rpc/DEVIATIONS.md', root), 'utf8')
  for (const { section } of DECLARED) expect(text).toContain(`\n## ${section}\n`)
})

test('behavior: the same seed makes the same requests, and another seed makes other requests', () => {
  const made = (seed: number): string => {
    const random = createRandomSource(seed)
    const seeds = seedsOf(1)
    return JSON.stringify(
      Array.from({ length: 200 }, () => mutateRequest(random.pick(seeds), random.pick(seeds), random)),
    )
  }
  expect(made(1)).toBe(made(1))
  expect(made(1)).not.toBe(made(2))
})

test('behavior: requests that dial peers or subscribe without end are excluded, in each notation', () => {
  const asked = (path: string, body = '') =>
    isAllowed({ id: '', run: '', transport: 'uri', response: {}, request: { path, body } })
  expect(asked('/status', '{"method":"status"}')).toBe(true)
  for (const path of ['/dial_seeds', '/%64ial_peers', '/./events', '/%65vents']) expect(asked(path), path).toBe(false)
  for (const method of ['dial_peers', '\\u0064ial_peers']) expect(asked('/', `{"method":"${method}"}`)).toBe(false)
})

test('behavior: an undeclared difference is found, and shown with a small request', {
  timeout: 120_000,
}, async () => {
  await using closing = new AsyncDisposableStack()
  const reference = await startOurNode('halley', false)
  closing.defer(reference.stop)
  const strict = await startOurNode('halley, strict', true)
  closing.defer(strict.stop)
  // This test runs no CometBFT node. A Halley node without the setting `strict` takes the place of the reference, and
  // its answers are compared with those of a strict Halley node. The two nodes answer some requests differently.
  // DEVIATIONS.md declares few differences for strict nodes. So the search must find undeclared differences.
  const { found } = await search(
    { chance: 1, requests: 400, until: forever },
    { reference, candidates: [{ node: strict, strict: true }] },
  )
  const planted = [...found.values()].find(({ answers }) =>
    JSON.stringify(answers.got).includes('Call with too few input arguments'),
  )
  if (planted === undefined) throw new Error('not found')
  expect(describeFound(planted)).toContain("repeat   pnpm fuzz rpc --repeat '{")
  expect(JSON.stringify(planted.exchange.request).length).toBeLessThan(150)
})

test.skipIf(cometbft === undefined)(
  'behavior: each difference from the reference is declared, and a strict node has only those that are declared for strict nodes',
  { timeout: 150_000 },
  async () => {
    await using nodes = await startTargetNodes(cometbft as string)
    const summary = await search({ chance: 1, requests: 4000, until: forever }, nodes)
    expect([...summary.found.values()].map(describeFound)).toEqual([])
    expect(summary.answers).toBe(8000)
    expect(summary.declared.get('Absent params are empty params')).toBeGreaterThan(0)
  },
)
