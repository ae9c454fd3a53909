import {
  createLightClient,
  createMemoryLightStore,
  hashOf,
  LIGHT_ERRORS,
  type LightBlock,
  type LightClient,
  LightError,
} from '@org/light'
import { createMemoryProvider } from '@org/light/testing'
import { createVirtualClock } from '@org/runtime'
import { runOn, SECOND, timeAt } from '@org/test-kit'
import { expect, test } from 'vitest'
import { replacingSlowPrimary } from '../src/light/slow-primary.ts'
import { CHAIN_ID, makeBlocks } from './support/made-blocks.ts'

const ALL = makeBlocks(40)

/**
 * Makes a light client. `nodes` has the name of each node, and the number of milliseconds until it answers. The first
 * node is the primary.
 */
async function startClient(nodes: readonly (readonly [name: string, ms: number])[]) {
  const clock = createVirtualClock(timeAt(40) + SECOND)
  const blocks = new Map([...ALL].filter(([height]) => height <= 2))
  const failing = new Map<string, typeof LIGHT_ERRORS.noResponse | typeof LIGHT_ERRORS.badBlock>()
  const providers = nodes.map(([name, ms]) => {
    const node = createMemoryProvider({ chainId: CHAIN_ID, name }, blocks)
    const lightBlock: typeof node.lightBlock = async (height, options) => {
      await clock.sleep(ms, options?.signal)
      const code = failing.get(name)
      if (code !== undefined) throw new LightError(code, `${name} fails`, { data: { provider: name } })
      return node.lightBlock(height, options)
    }
    return { ...node, lightBlock }
  })
  let recent: LightClient | undefined
  const [first, ...witnesses] = replacingSlowPrimary(providers, { clock, present: () => recent?.providers() })
  if (first === undefined) throw new Error('a client needs a primary')
  const light = await runOn(
    clock,
    createLightClient(
      {
        chainId: CHAIN_ID,
        trustingPeriod: 3600n * SECOND,
        trust: { height: 1, hash: hashOf(ALL.get(1) as LightBlock) },
      },
      { primary: first, witnesses, store: createMemoryLightStore(), clock },
    ),
  )
  recent = light
  const primaries: string[] = []
  /** Verifies the latest block of the primary, which is one height higher than before. */
  const update = async (): Promise<LightBlock | undefined> => {
    const next = blocks.size + 1
    blocks.set(next, ALL.get(next) as LightBlock)
    const block = await runOn(clock, light.update())
    primaries.push(light.providers().primary.name)
    return block
  }
  return { light, update, primaries, failing }
}

test('behavior: a primary that answers just below the time limit is replaced by a witness that is much faster', async () => {
  const { light, update, primaries } = await startClient([
    ['slow', 4900],
    ['slow too', 4800],
    ['fast', 50],
  ])
  for (let height = 3; height <= 10; height++) expect(await update()).toEqual(ALL.get(height))
  expect(primaries[0]).toBe('slow')
  expect(primaries.at(-1)).toBe('fast')
  // The replaced primary stays in use: it is the last witness now.
  expect(light.providers().witnesses.map(({ name }) => name)).toEqual(['slow too', 'slow'])
})

test.each([
  ['the witness is hardly faster', 2000, 900],
  ['the primary is fast enough', 1000, 10],
])('behavior: the primary stays if %s', async (_, ms, witnessMs) => {
  const { update, primaries } = await startClient([
    ['primary', ms],
    ['witness', witnessMs],
  ])
  for (let height = 3; height <= 20; height++) expect(await update()).toEqual(ALL.get(height))
  expect(new Set(primaries)).toEqual(new Set(['primary']))
})

test.each([
  ['was removed', LIGHT_ERRORS.badBlock],
  ['does not answer any more', LIGHT_ERRORS.noResponse],
])('behavior: the primary stays if the only witness that was faster %s', async (_, code) => {
  const { light, update, primaries, failing } = await startClient([
    ['primary', 2000],
    ['slower', 3000],
    ['fast', 10],
  ])
  expect(await update()).toEqual(ALL.get(3))
  failing.set('fast', code)
  for (let height = 4; height <= 20; height++) expect(await update()).toEqual(ALL.get(height))
  expect(new Set(primaries)).toEqual(new Set(['primary']))
  expect(light.providers().witnesses).toHaveLength(code === LIGHT_ERRORS.badBlock ? 1 : 2)
})

test('behavior: kept answers, which take no time, do not hide that the primary is slow', async () => {
  const clock = createVirtualClock(timeAt(40) + SECOND)
  const [primary, witness] = replacingSlowPrimary(
    [2000, 10].map((ms) => {
      const node = createMemoryProvider({ chainId: CHAIN_ID, name: `answers after ${ms} ms` }, ALL)
      const lightBlock: typeof node.lightBlock = async (height, options) => {
        // A request for only the commit takes no time, as if its answer were kept from an earlier request.
        if (options?.validators === undefined) await clock.sleep(ms)
        return node.lightBlock(height, options)
      }
      return { ...node, lightBlock }
    }),
    { clock, present: () => primary && witness && { primary, witnesses: [witness] } },
  )
  if (primary === undefined || witness === undefined) throw new Error('there are two providers')
  const { validators } = ALL.get(2) as LightBlock
  for (let height = 2; height <= 6; height++) {
    for (const provider of [primary, witness]) await runOn(clock, provider.lightBlock(undefined))
    await runOn(clock, primary.lightBlock(height, { validators }))
  }
  await expect(runOn(clock, primary.lightBlock(undefined))).rejects.toMatchObject({ code: LIGHT_ERRORS.noResponse })
})
