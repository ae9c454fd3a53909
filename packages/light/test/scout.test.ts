import { getEventListeners } from 'node:events'
import { BlockIdFlag, type CommitSig } from '@org/types'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createScout, type ScoutModules } from '../src/client/scout.ts'
import type { LightBlock } from '../src/index.ts'
import { DEFAULT_TRUST_LEVEL } from '../src/verifier/trust-level.ts'
import { blockOf, CHAIN, makeClient, provider } from './client-fixture.ts'

interface Request {
  readonly height: number
  readonly signal: AbortSignal
  readonly answer: () => void
}

/** Makes the part of a bisection that fetches blocks in advance. Its source answers when the test calls `answer`. */
function makeScout(onForecast: ScoutModules['onForecast'] = () => undefined) {
  const requests: Request[] = []
  let atSource = 0
  let mostAtSource = 0
  const scout = createScout({
    ...{ trustLevel: DEFAULT_TRUST_LEVEL, onForecast },
    fetch: (height, signal) => {
      mostAtSource = Math.max(mostAtSource, ++atSource)
      return new Promise<LightBlock>((resolve, reject) => {
        requests.push({ height, signal, answer: () => resolve(blockOf(CHAIN, height)) })
        signal.addEventListener('abort', () => reject(signal.reason))
      }).finally(() => atSource--)
    },
  })
  const heights = (): readonly number[] => requests.map(({ height }) => height)
  const answer = (): void => requests.at(-1)?.answer()
  return { scout, requests, heights, answer, mostAtSource: () => mostAtSource }
}

// Every fifth height replaces one of the four validators, which have equal power. A header is accepted if more than a
// third of the trusted power signed it. So with height 1 as the trusted block, every block up to height 14 is accepted.
describe('the scout of a bisection', () => {
  test('the scout fetches the pivots that the bisection needs, until a pivot is near enough', async () => {
    const { scout, heights, answer, mostAtSource } = makeScout()
    scout.begin(blockOf(CHAIN, 1), [blockOf(CHAIN, 100)])
    for (const expected of [[56], [56, 31], [56, 31, 17], [56, 31, 17, 10]]) {
      await expect.poll(heights).toEqual(expected)
      answer()
    }
    expect(await scout.fetch(17)).toBe(blockOf(CHAIN, 17))
    expect(heights()).toEqual([56, 31, 17, 10])
    expect(mostAtSource()).toBe(1)
  })

  test('the scout continues from a block that is near enough, and reports the expected steps', async () => {
    const steps: string[] = []
    const { scout, heights, answer } = makeScout((from, to) => steps.push(`${from.header.height}-${to.header.height}`))
    scout.begin(blockOf(CHAIN, 1), [blockOf(CHAIN, 17), blockOf(CHAIN, 8)])
    await expect.poll(() => steps).toEqual(['1-8', '8-17'])
    expect(heights()).toEqual([])
    const block = scout.fetch(50)
    await expect.poll(heights).toEqual([50])
    answer()
    expect(await block).toBe(blockOf(CHAIN, 50))
  })

  test('the scout fetches eight blocks ahead, and one more for each block that the bisection takes', async () => {
    const asked: number[] = []
    const scout = createScout({
      trustLevel: DEFAULT_TRUST_LEVEL,
      fetch: async (height) => {
        asked.push(height)
        return blockOf(CHAIN, height)
      },
    })
    onTestFinished(scout.stop)
    scout.begin(blockOf(CHAIN, 1), [blockOf(CHAIN, 100)])
    await expect.poll(() => asked.length).toBe(8)
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(asked.length).toBe(8)
    await scout.fetch(asked[0] as number)
    await expect.poll(() => asked.length).toBe(9)
    expect(new Set(asked).size).toBe(9)
  })

  test('while the blocks ahead are large, no further block is fetched; a wrong forecast drops them', async () => {
    const asked: number[] = []
    const large = (height: number): LightBlock => {
      const block = blockOf(CHAIN, height)
      const absent = { ...(block.commit.signatures[0] as CommitSig), blockIdFlag: BlockIdFlag.absent }
      return { ...block, commit: { ...block.commit, signatures: Array(20_000).fill(absent) } }
    }
    const scout = createScout({
      trustLevel: DEFAULT_TRUST_LEVEL,
      fetch: async (height) => {
        asked.push(height)
        return large(height)
      },
    })
    onTestFinished(scout.stop)
    scout.begin(blockOf(CHAIN, 1), [blockOf(CHAIN, 100)])
    await expect.poll(() => asked).toEqual([56, 31, 17])
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual([56, 31, 17])
    await scout.fetch(20)
    await scout.fetch(56)
    expect(asked).toEqual([56, 31, 17, 20, 56])
  })

  test('the scout aborts its request before it sends another one', async () => {
    const { scout, requests, heights, answer, mostAtSource } = makeScout()
    scout.begin(blockOf(CHAIN, 1), [blockOf(CHAIN, 100)])
    await expect.poll(heights).toEqual([56])
    const block = scout.fetch(20)
    await expect.poll(heights).toEqual([56, 20])
    expect(requests[0]?.signal.aborted).toBe(true)
    answer()
    expect(await block).toBe(blockOf(CHAIN, 20))
    expect(mostAtSource()).toBe(1)
  })

  test('a request for a block rejects with the error of its early fetch', async () => {
    const scout = createScout({
      trustLevel: DEFAULT_TRUST_LEVEL,
      fetch: async (height) => {
        throw new Error(`no block ${height}`)
      },
    })
    scout.begin(blockOf(CHAIN, 1), [blockOf(CHAIN, 100)])
    await expect(scout.fetch(56)).rejects.toThrow('no block 56')
  })
})

test('a client fetches the next pivots while it verifies signatures, and never two at once', async () => {
  const inner = provider('primary')
  let [atSource, mostAtSource, ahead] = [0, 0, 0]
  const primary = {
    ...inner,
    lightBlock: async (...args: Parameters<typeof inner.lightBlock>) => {
      mostAtSource = Math.max(mostAtSource, ++atSource)
      await new Promise((resolve) => setImmediate(resolve))
      return inner.lightBlock(...args).finally(() => atSource--)
    },
  }
  const client = await makeClient({
    modules: {
      primary,
      findInvalid: async () => {
        const before = inner.asked.length
        for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve))
        if (inner.asked.length > before) ahead++
        return -1
      },
    },
  })
  await client.verifyAtHeight(100)
  expect(mostAtSource).toBe(1)
  expect(ahead).toBeGreaterThan(1)
  // No block is fetched twice.
  expect(new Set(inner.asked).size).toBe(inner.asked.length)
})

test.each(['skipping', 'sequential'] as const)(
  'error: a provider that throws at once leaves no listener at the signal of the call (%s)',
  async (mode) => {
    const inner = provider('primary')
    let calls = 0
    const lightBlock: typeof inner.lightBlock = (height, options) => {
      // The first requests are for the trusted block and for the target.
      if (height !== undefined && height !== 1 && height !== 100) {
        calls++
        throw new Error('a fault of the program')
      }
      return inner.lightBlock(height, options)
    }
    const client = await makeClient({ options: { mode }, modules: { primary: { ...inner, lightBlock } } })
    const { signal } = new AbortController()
    await client.verifyAtHeight(100, { signal }).catch(() => undefined)
    expect(calls).toBeGreaterThan(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  },
)
