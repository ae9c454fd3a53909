import { getEventListeners } from 'node:events'
import { makeBlock, makeChain, makeKeys, makeValidators, runOn, timeAt } from '@org/test-kit'
import type { FindInvalid } from '@org/types'
import { findInvalidSignature } from '@org/types/crypto'
import { describe, expect, test } from 'vitest'
import {
  createLightClient,
  createMemoryLightStore,
  hashOf,
  heightOf,
  LIGHT_ERRORS,
  type LightBlock,
  type LightProgress,
  type Provider,
} from '../src/index.ts'
import {
  blockOf,
  CHAIN,
  clockAt,
  failureOf,
  forkAfter,
  KEYS,
  keysAt,
  makeClient,
  optionsFrom,
  provider,
} from './client-fixture.ts'

const at = (height: number): LightBlock => blockOf(CHAIN, height)

describe('the header to trust', () => {
  test('the header to trust is fetched, confirmed and saved', async () => {
    const [primary, witness, store] = [provider('primary'), provider('witness'), createMemoryLightStore()]
    const client = await makeClient({ options: optionsFrom(10), modules: { primary, witnesses: [witness], store } })
    expect(await client.trustedBlock()).toEqual(at(10))
    expect([primary.asked, witness.asked, await store.size()]).toEqual([[10], [10], 1])
  })

  test('a header with another hash is refused', async () => {
    const trust = { height: 10, hash: hashOf(at(11)) }
    expect(await failureOf(makeClient({ options: { trust } }))).toMatchObject({
      code: LIGHT_ERRORS.trustHash,
      data: { height: 10 },
    })
  })

  test('an expired header is refused', async () => {
    const trustingPeriod = timeAt(100) - timeAt(1)
    expect(await failureOf(makeClient({ options: { trustingPeriod } }))).toMatchObject({
      code: LIGHT_ERRORS.expired,
      data: { trustedHeight: 1 },
    })
  })

  test('a header is refused if a witness has another header', async () => {
    const witnesses = [provider('witness'), provider('liar', forkAfter(5, 20))]
    expect(await failureOf(makeClient({ options: optionsFrom(10), modules: { witnesses } }))).toMatchObject({
      code: LIGHT_ERRORS.conflict,
      data: { height: 10, other: 'liar' },
    })
  })

  test('a header is refused if a witness has other proposer priorities', async () => {
    const block = at(10)
    const validators = block.validators.validators.map((one, i) => ({ ...one, proposerPriority: BigInt(i * 100) }))
    const other = new Map([[10, { ...block, validators: { ...block.validators, validators } }]])
    expect(
      await failureOf(makeClient({ options: optionsFrom(10), modules: { witnesses: [provider('other', other)] } })),
    ).toMatchObject({ code: LIGHT_ERRORS.priorities, data: { height: 10, other: 'other' } })
  })

  test('a header that too few of its validators signed is refused', async () => {
    const keys = keysAt(1)
    const unsigned = makeBlock({
      height: 1,
      time: timeAt(1),
      keys,
      validators: makeValidators(keys, 2, 0),
      signers: keys.slice(2),
    })
    const blocks = new Map([[1, unsigned]])
    const modules = { primary: provider('primary', blocks), witnesses: [provider('witness', blocks)] }
    await expect(makeClient({ options: optionsFrom(1, blocks), modules })).rejects.toMatchObject({
      code: 'COMMIT_NOT_ENOUGH_POWER',
    })
  })

  test.each([
    ['trust.height', { trust: { height: 0, hash: hashOf(at(1)) } }],
    ['trust.hash', { trust: { height: 1, hash: new Uint8Array(31) } }],
    ['trustingPeriod', { trustingPeriod: 0n }],
    ['maxClockDrift', { maxClockDrift: -1n }],
    ['pruningSize', { pruningSize: 1.5 }],
    ['maxSteps', { maxSteps: 0 }],
    ['chainId', { chainId: 'other' }],
  ] as const)('an invalid option %s is refused', async (option, options) => {
    expect(await failureOf(makeClient({ options }))).toMatchObject({ code: LIGHT_ERRORS.option, data: { option } })
  })

  test('a client without witnesses, or without a header to begin from, is refused', async () => {
    expect(await failureOf(makeClient({ modules: { witnesses: [] } }))).toMatchObject({
      code: LIGHT_ERRORS.noWitnesses,
    })
    const { trust: _, ...options } = optionsFrom(1)
    const modules = { primary: provider('p'), witnesses: [provider('w')], store: createMemoryLightStore() }
    expect(await failureOf(createLightClient(options, modules))).toMatchObject({ code: LIGHT_ERRORS.noTrustedBlock })
  })
})

describe('a store that has blocks', () => {
  async function filled(...heights: number[]) {
    const store = createMemoryLightStore()
    for (const height of heights) await store.save(at(height))
    return store
  }
  const heights = async (store: Awaited<ReturnType<typeof filled>>) => [
    await store.firstHeight(),
    await store.lastHeight(),
  ]

  test('a client without a header to trust continues from its store', async () => {
    const store = await filled(5, 40)
    const primary = provider('primary')
    const { trust: _, ...options } = optionsFrom(1)
    const client = await createLightClient(options, {
      primary,
      witnesses: [provider('witness')],
      store,
      clock: clockAt(100),
    })
    expect(primary.asked).toEqual([])
    expect(heightOf((await client.update()) as LightBlock)).toBe(100)
  })

  test('the store is kept if the primary has the same block, and the header to trust is saved too', async () => {
    const store = await filled(5, 20)
    await makeClient({ options: optionsFrom(40), modules: { store } })
    expect(await heights(store)).toEqual([5, 40])
  })

  test('the store is emptied if the primary has another block, unless the caller refuses', async () => {
    const other = forkAfter(5, 100)
    const modules = { primary: provider('primary', other), witnesses: [provider('witness', other)] }
    const options = optionsFrom(40, other)
    const kept = await filled(20)
    const asked: string[] = []
    const confirm = (action: string): boolean => {
      asked.push(action)
      return false
    }
    expect(await failureOf(makeClient({ options, modules: { ...modules, store: kept, confirm } }))).toMatchObject({
      code: LIGHT_ERRORS.removalRefused,
      data: { height: 20 },
    })
    expect(asked).toEqual([expect.stringMatching(/^The stored light block at height 20 has the hash .*Remove all/)])
    expect(await heights(kept)).toEqual([20, 20])
    const store = await filled(20)
    await makeClient({ options, modules: { ...modules, store } })
    expect(await heights(store)).toEqual([40, 40])
  })

  test('stored blocks above the header to trust are removed, unless the caller refuses', async () => {
    const store = await filled(5, 20, 30, 40)
    await makeClient({ options: optionsFrom(20), modules: { store } })
    expect(await heights(store)).toEqual([5, 20])
    const kept = await filled(5, 20, 30, 40)
    await makeClient({ options: optionsFrom(20), modules: { store: kept, confirm: () => false } })
    expect(await heights(kept)).toEqual([5, 40])
    const without = await filled(5, 30)
    await makeClient({ options: optionsFrom(20), modules: { store: without } })
    expect(await heights(without)).toEqual([5, 20])
  })
})

describe('verification', () => {
  test('the mode skipping requests few blocks, and each pivot once', async () => {
    const [primary, witness, store] = [provider('primary'), provider('witness'), createMemoryLightStore()]
    const client = await makeClient({ modules: { primary, witnesses: [witness], store } })
    expect(await client.verifyAtHeight(100)).toEqual(at(100))
    expect(primary.asked.length).toBeLessThan(30)
    expect(new Set(primary.asked).size).toBe(primary.asked.length)
    expect(witness.asked).toEqual([1, 100])
    expect(await store.size()).toBe(2)
    const before = primary.asked.length
    expect(await client.verifyAtHeight(100)).toEqual(at(100))
    expect(primary.asked.length).toBe(before)
  })

  test('a constant validator set takes one step', async () => {
    const keys = makeKeys(4, 'constant')
    const blocks = makeChain({ to: 100, keysAt: () => keys })
    const primary = provider('primary', blocks)
    const client = await makeClient({
      options: optionsFrom(1, blocks),
      modules: { primary, witnesses: [provider('witness', blocks)] },
    })
    await client.verifyAtHeight(100)
    expect(primary.asked).toEqual([1, 100])
  })

  test('with a higher trust level, more blocks are requested', async () => {
    const asked = async (numerator: bigint): Promise<number> => {
      const primary = provider('primary')
      const trustLevel = { numerator, denominator: 3n }
      const client = await makeClient({ options: { trustLevel }, modules: { primary } })
      await client.verifyAtHeight(100)
      return primary.asked.length
    }
    expect(await asked(2n)).toBeGreaterThan(await asked(1n))
  })

  test('the mode sequential requests every block', async () => {
    const primary = provider('primary')
    const client = await makeClient({ options: { mode: 'sequential' }, modules: { primary } })
    await client.verifyAtHeight(50)
    expect(primary.asked).toEqual([1, 50, ...Array.from({ length: 48 }, (_, i) => i + 2)])
  })

  test('the mode sequential requests the next block during a verification', async () => {
    const primary = provider('primary')
    const seen: (readonly [number, number])[] = []
    const findInvalid: FindInvalid = async (items) => {
      seen.push([items.length, primary.asked.at(-1) as number])
      return -1
    }
    const client = await makeClient({ options: { mode: 'sequential' }, modules: { primary, findInvalid } })
    seen.length = 0
    await client.verifyAtHeight(5)
    expect(seen.map(([, asked]) => asked)).toEqual([3, 4, 4, 4])
  })

  test('no signature of a block is verified twice', async () => {
    const verified: Uint8Array[] = []
    const findInvalid: FindInvalid = async (items) => {
      for (const { signature } of items) verified.push(signature)
      return findInvalidSignature(items)
    }
    const client = await makeClient({ modules: { findInvalid } })
    verified.length = 0
    await client.verifyAtHeight(100)
    expect(new Set(verified).size).toBe(verified.length)
  })

  test('prune, cleanup and trustedBlock end when their signal aborts', async () => {
    const client = await makeClient()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(client.prune(1, { signal })).rejects.toThrow('enough')
    await expect(client.cleanup({ signal })).rejects.toThrow('enough')
    await expect(client.trustedBlock(1, { signal })).rejects.toThrow('enough')
    expect(await client.trustedBlock(1)).toEqual(at(1))
  })

  test('update verifies the latest block, and returns `undefined` if there is no new one', async () => {
    const blocks = new Map([...CHAIN].slice(0, 30))
    const client = await makeClient({ modules: { primary: provider('primary', blocks) } })
    expect(await client.update()).toEqual(at(30))
    expect(await client.update()).toBeUndefined()
    blocks.set(31, at(31))
    expect(await client.update()).toEqual(at(31))
    expect([await client.firstTrustedHeight(), await client.lastTrustedHeight()]).toEqual([1, 31])
  })

  test('a height between two trusted heights is verified from the nearest lower trusted height', async () => {
    const primary = provider('primary')
    const client = await makeClient({ modules: { primary } })
    await client.verifyAtHeight(50)
    await client.verifyAtHeight(100)
    const before = primary.asked.length
    expect(await client.verifyAtHeight(51)).toEqual(at(51))
    expect(primary.asked.slice(before)).toEqual([51])
  })

  test('a height before the first trusted height is verified backwards, by hashes alone', async () => {
    const primary = provider('primary')
    const client = await makeClient({ options: optionsFrom(50), modules: { primary } })
    expect(await client.verifyAtHeight(45)).toEqual(at(45))
    expect(primary.asked).toEqual([50, 45, 49, 48, 47, 46])
    expect(await client.firstTrustedHeight()).toBe(45)
  })

  test('verifyHeader compares a header with the verified header', async () => {
    const client = await makeClient()
    await client.verifyHeader(at(30).header)
    await client.verifyHeader(at(30).header)
    const other = blockOf(forkAfter(20, 40), 30).header
    expect(await failureOf(client.verifyHeader(other))).toMatchObject({
      code: LIGHT_ERRORS.conflict,
      data: { height: 30, other: 'the trusted store' },
    })
    expect(await failureOf(client.verifyHeader({ ...other, height: 35 }))).toMatchObject({
      code: LIGHT_ERRORS.conflict,
      data: { height: 35, other: 'the primary' },
    })
    expect(await client.trustedBlock(35)).toBeUndefined()
  })

  test('the client prunes its store after each block and on demand, and cleanup removes all blocks', async () => {
    const store = createMemoryLightStore()
    const client = await makeClient({ options: { pruningSize: 3 }, modules: { store } })
    for (const height of [10, 20, 30, 40]) await client.verifyAtHeight(height)
    expect([await store.size(), await store.firstHeight()]).toEqual([3, 20])
    await client.prune(1)
    expect([await store.size(), await store.firstHeight()]).toEqual([1, 40])
    await client.cleanup()
    expect(await failureOf(client.update())).toMatchObject({ code: LIGHT_ERRORS.noTrustedBlock })
  })

  test.each([0, -1, 1.5, Number.NaN, 2 ** 53])('the height %s is refused', async (height) => {
    const client = await makeClient()
    expect(await failureOf(client.verifyAtHeight(height))).toMatchObject({ code: LIGHT_ERRORS.option })
  })

  test('a trusted header that expires while the client runs is refused', async () => {
    const clock = clockAt(100)
    const client = await makeClient({ modules: { clock } })
    clock.advance(11 * 3600 * 1000)
    expect(await failureOf(client.verifyAtHeight(50))).toMatchObject({
      code: LIGHT_ERRORS.verificationFailed,
      data: { from: 1, to: 50, cause: LIGHT_ERRORS.expired },
    })
  })

  test('a header of the future removes no provider', async () => {
    const client = await makeClient({ modules: { clock: clockAt(50) } })
    expect(await failureOf(client.verifyAtHeight(60))).toMatchObject({
      code: LIGHT_ERRORS.verificationFailed,
      data: { from: 1, to: 60, cause: LIGHT_ERRORS.invalidHeader },
    })
    expect(client.providers().primary.name).toBe('primary')
  })
})

describe('a verification of many headers, one after the other', () => {
  const keys = makeKeys(1, 'long')
  const long = makeChain({ to: 400, keysAt: () => keys })
  const setup = (extra: object = {}, options: object = {}) =>
    makeClient({
      options: { ...optionsFrom(1, long), mode: 'sequential', ...options },
      modules: {
        primary: provider('primary', long),
        witnesses: [provider('witness', long)],
        clock: clockAt(400),
        ...extra,
      },
    })

  test('headers are verified in parts, which are cross-checked, saved and reported', async () => {
    const [store, witness] = [createMemoryLightStore(), provider('witness', long)]
    const progress: LightProgress[] = []
    const client = await setup({ store, witnesses: [witness], onProgress: (one: LightProgress) => progress.push(one) })
    await client.verifyAtHeight(400)
    expect(witness.asked).toEqual([1, 129, 257, 385, 400])
    expect(await store.size()).toBe(5)
    expect(progress).toEqual(
      [129, 257, 385, 400].map((at) => ({ direction: 'forwards', from: 1, at, to: 400, confirmedBy: ['witness'] })),
    )
  })

  test('a call ends at the limit of steps, and the next call continues', async () => {
    const client = await setup({}, { maxSteps: 300 })
    expect(await failureOf(client.verifyAtHeight(400))).toMatchObject({
      code: LIGHT_ERRORS.tooManySteps,
      data: { from: 1, to: 400, limit: 300 },
    })
    expect(await client.lastTrustedHeight()).toBe(257)
    expect(await client.verifyAtHeight(400)).toEqual(long.get(400))
  })

  test('a call ends with the reason of its signal, and calls run one after the other', async () => {
    const stop = new AbortController()
    const client = await setup({ onProgress: ({ at: height }: LightProgress) => height > 200 && stop.abort('enough') })
    const running = client.verifyAtHeight(400, { signal: stop.signal })
    const waiting = client.verifyAtHeight(130)
    const left = client.verifyAtHeight(5, { signal: AbortSignal.abort('never') })
    await expect(left).rejects.toBe('never')
    await expect(running).rejects.toBe('enough')
    expect(await waiting).toEqual(long.get(130))
    expect(await client.lastTrustedHeight()).toBe(257)
  })

  test('the number of steps of a bisection grows with the logarithm of the distance', async () => {
    // The primary sends a last block that is signed with keys of no validator of the chain. The same keys sign every
    // block above height 400. The client refuses all of these blocks, so the bisection tries many blocks.
    const strangers = makeKeys(4, 'stranger')
    const lies = new Map(long)
    const far = 2 ** 40
    const base = { keys: strangers, validators: makeValidators(strangers, 1, 0) }
    const lie = (height: number): LightBlock => makeBlock({ height, time: timeAt(399) + BigInt(height), ...base })
    lies.set(far, lie(far))
    let asked = 0
    const honest = provider('primary', lies)
    const primary: Provider = {
      ...honest,
      lightBlock: async (height, options) => {
        asked++
        return height !== undefined && height > 400 && height !== far ? lie(height) : honest.lightBlock(height, options)
      },
    }
    const client = await setup({ primary, clock: clockAt(2 ** 21) }, { mode: 'skipping', trustingPeriod: 2n ** 60n })
    await failureOf(client.verifyAtHeight(far))
    expect(asked).toBeLessThan(120)
  })
})

describe('providers that fail', () => {
  const forged = (height: number): LightBlock =>
    makeBlock({
      height,
      time: timeAt(height),
      keys: KEYS.slice(40),
      validators: makeValidators(KEYS.slice(40, 44), 9, 0),
    })

  test('a primary without the block is replaced, and becomes the last witness', async () => {
    const primary = provider('primary', new Map([...CHAIN].slice(0, 20)))
    const clock = clockAt(100)
    const client = await makeClient({ modules: { primary, witnesses: [provider('a'), provider('b')], clock } })
    expect(await client.verifyAtHeight(10)).toEqual(at(10))
    // The old primary is now a witness that lags, so the client waits for it.
    expect(await runOn(clock, client.verifyAtHeight(60))).toEqual(at(60))
    const { primary: now, witnesses } = client.providers()
    expect([now.name, ...witnesses.map(({ name }) => name)]).toEqual(['a', 'b', 'primary'])
  })

  test.each(['skipping', 'sequential'] as const)(
    'a primary that sends a wrong block before the target is removed (%s)',
    async (mode) => {
      const lies = new Map(CHAIN)
      for (let height = 20; height < 90; height++) lies.set(height, forged(height))
      const modules = { primary: provider('liar', lies), witnesses: [provider('a'), provider('b')] }
      const client = await makeClient({ options: { mode }, modules })
      expect(await client.verifyAtHeight(100)).toEqual(at(100))
      const { primary, witnesses } = client.providers()
      expect([primary.name, ...witnesses.map(({ name }) => name)]).not.toContain('liar')
      expect(witnesses).toHaveLength(1)
    },
  )

  test.each(['skipping', 'sequential'] as const)(
    'a call that replaces the primary leaves no listener at its signal (%s)',
    async (mode) => {
      const lies = new Map(CHAIN)
      for (let height = 20; height < 90; height++) lies.set(height, forged(height))
      const modules = { primary: provider('liar', lies), witnesses: [provider('a'), provider('b')] }
      const client = await makeClient({ options: { mode }, modules })
      const { signal } = new AbortController()
      expect(await client.verifyAtHeight(100, { signal })).toEqual(at(100))
      expect(getEventListeners(signal, 'abort')).toEqual([])
    },
  )

  test('the mode sequential replaces the primary only once if two blocks in a row are wrong', async () => {
    const lies = new Map(CHAIN)
    lies.set(20, forged(20))
    lies.delete(21)
    const modules = { primary: provider('liar', lies), witnesses: [provider('a'), provider('b')] }
    const client = await makeClient({ options: { mode: 'sequential' }, modules })
    expect(await client.verifyAtHeight(30)).toEqual(at(30))
    const { primary, witnesses } = client.providers()
    expect([primary.name, ...witnesses.map(({ name }) => name)]).toEqual(['a', 'b'])
  })

  test('a primary that sends a wrong target is removed, and the right block is verified', async () => {
    const lies = new Map(CHAIN)
    lies.set(2, forged(2))
    const modules = { primary: provider('liar', lies), witnesses: [provider('a'), provider('b')] }
    const client = await makeClient({ modules })
    expect(await client.verifyAtHeight(2)).toEqual(at(2))
    expect(client.providers().primary.name).toBe('a')
  })

  test('a primary that sends a wrong header on the way backwards is removed', async () => {
    const lies = new Map(CHAIN)
    lies.set(47, blockOf(forkAfter(40, 50), 47))
    const modules = { primary: provider('liar', lies), witnesses: [provider('a'), provider('b')] }
    const client = await makeClient({ options: optionsFrom(50), modules })
    expect(await client.verifyAtHeight(45)).toEqual(at(45))
    expect(client.providers().primary.name).toBe('a')
  })

  test('the last witness never replaces the primary, because the client would then have no witness', async () => {
    const lies = new Map(CHAIN)
    lies.set(2, forged(2))
    const client = await makeClient({ modules: { primary: provider('liar', lies), witnesses: [provider('a')] } })
    expect(await failureOf(client.verifyAtHeight(2))).toMatchObject({
      code: LIGHT_ERRORS.verificationFailed,
      data: { cause: LIGHT_ERRORS.otherValidators },
    })
    const { primary, witnesses } = client.providers()
    expect([primary.name, ...witnesses.map(({ name }) => name)]).toEqual(['liar', 'a'])
    expect(await client.lastTrustedHeight()).toBe(1)
  })

  test('a call rejects if no provider has the block', async () => {
    const client = await makeClient()
    expect(await failureOf(client.verifyAtHeight(101))).toMatchObject({ code: LIGHT_ERRORS.heightTooHigh })
  })

  test('a witness that sends invalid blocks is removed', async () => {
    const broken = new Map(CHAIN)
    broken.set(30, { ...at(30), commit: at(31).commit })
    const modules = { witnesses: [provider('broken', broken), provider('a')] }
    const client = await makeClient({ modules })
    await client.verifyAtHeight(30)
    expect(client.providers().witnesses.map(({ name }) => name)).toEqual(['a'])
  })

  test('a header that no witness has is not trusted', async () => {
    const few = new Map([...CHAIN].filter(([height]) => height !== 30))
    const client = await makeClient({ modules: { witnesses: [provider('few', few)] } })
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({
      code: LIGHT_ERRORS.unconfirmed,
      data: { height: 30 },
    })
    expect(await client.trustedBlock(30)).toBeUndefined()
  })
})
