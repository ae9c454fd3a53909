import { makeChain, makeKeys, SECOND } from '@org/test-kit'
import { expect, test } from 'vitest'
import { createMemoryLightStore, LIGHT_ERRORS, type LightClientModules, type LightClientOptions } from '../src/index.ts'
import { type Blocks, blockOf, CHAIN, clockAt, failureOf, makeClient, optionsFrom, provider } from './client-fixture.ts'

const HALF_HOUR_MS = 30 * 60_000
const keys = makeKeys(4)
const LONG: Blocks = makeChain({ to: 600, keysAt: () => keys })

/** Makes a client that trusts the heights 1, 50 and 100. The headers 1 and 50 have expired. */
async function clientWithOldBlocks(
  modules: Partial<LightClientModules> = {},
  options: Partial<LightClientOptions> = {},
) {
  const clock = clockAt(50)
  const client = await makeClient({
    options: { trustingPeriod: 3600n * SECOND, ...options },
    modules: { ...modules, clock },
  })
  await client.verifyAtHeight(50)
  clock.advance(HALF_HOUR_MS)
  await client.verifyAtHeight(80)
  clock.advance(HALF_HOUR_MS)
  await client.verifyAtHeight(100)
  return client
}

test('a height after an expired block is verified backwards from the next trusted block', async () => {
  const primary = provider('primary')
  const client = await clientWithOldBlocks({ primary })
  const before = primary.asked.length
  expect(await client.verifyAtHeight(46)).toEqual(blockOf(CHAIN, 46))
  expect(primary.asked.slice(before)).toEqual([46, 49, 48, 47])
})

test('with the option backwards: false, a height that needs it is refused before a request is sent', async () => {
  const primary = provider('primary')
  const client = await makeClient({ options: { ...optionsFrom(50), backwards: false }, modules: { primary } })
  const before = primary.asked.length
  const refused = { code: LIGHT_ERRORS.backwards, data: { height: 46 } }
  expect(await failureOf(client.verifyAtHeight(46))).toMatchObject(refused)
  expect(await failureOf(client.verifyHeader(blockOf(CHAIN, 46).header))).toMatchObject(refused)
  expect(primary.asked).toHaveLength(before)
  expect(await client.verifyAtHeight(60)).toEqual(blockOf(CHAIN, 60))
  expect(await client.verifyAtHeight(55)).toEqual(blockOf(CHAIN, 55))
})

test('with the option backwards: false, a height above an expired block is refused, and the text says why', async () => {
  const client = await clientWithOldBlocks({}, { backwards: false })
  expect(await failureOf(client.verifyAtHeight(60))).toMatchObject({
    code: LIGHT_ERRORS.backwards,
    message: expect.stringMatching(
      /^the client has no trusted block below height 60 that is newer than the trusting period: /,
    ),
  })
  expect(await client.verifyAtHeight(90)).toEqual(blockOf(CHAIN, 90))
})

test('with the option backwards: false, a call that waits is refused if the block below is removed meanwhile', async () => {
  const primary = provider('primary')
  const client = await makeClient({
    options: { ...optionsFrom(50), backwards: false, pruningSize: 2 },
    modules: { primary },
  })
  await client.verifyAtHeight(70)
  // The store keeps at most two blocks. So after the verification of height 80, it removes the block at height 50.
  const calls = [client.verifyAtHeight(80), client.verifyAtHeight(60).catch((error: unknown) => error)]
  expect(await Promise.all(calls)).toEqual([
    blockOf(CHAIN, 80),
    expect.objectContaining({ code: LIGHT_ERRORS.backwards, data: { height: 60 } }),
  ])
  expect(primary.asked).not.toContain(60)
})

test('a primary that sends a wrong header after an expired block is removed', async () => {
  const blocks = new Map(CHAIN)
  const primary = provider('liar', blocks)
  const client = await clientWithOldBlocks({ primary, witnesses: [provider('a'), provider('b')] })
  blocks.set(46, blockOf(LONG, 46))
  expect(await client.verifyAtHeight(46)).toEqual(blockOf(CHAIN, 46))
  expect(client.providers().primary.name).toBe('a')
})

test('an interrupted call far backwards is continued by the next call', async () => {
  const stop = new AbortController()
  const primary = provider('primary', LONG)
  const client = await makeClient({
    options: optionsFrom(600, LONG),
    modules: {
      primary,
      witnesses: [provider('witness', LONG)],
      store: createMemoryLightStore(),
      clock: clockAt(600),
      onProgress: ({ at }) => at === 300 && stop.abort('enough'),
    },
  })
  await expect(client.verifyAtHeight(290, { signal: stop.signal })).rejects.toBe('enough')
  expect(await client.firstTrustedHeight()).toBe(344)
  const before = primary.asked.length
  expect(await client.verifyAtHeight(340)).toEqual(blockOf(LONG, 340))
  expect(primary.asked.slice(before)).toEqual([340, 343, 342, 341])
})

test('the commit of a block that is saved on the way backwards is verified', async () => {
  const lies = new Map(LONG)
  const { header, validators, commit } = blockOf(LONG, 344)
  const signatures = commit.signatures.map((entry) => ({ ...entry, signature: new Uint8Array(64) }))
  lies.set(344, { header, validators, commit: { ...commit, signatures } })
  const client = await makeClient({
    options: optionsFrom(600, LONG),
    modules: { primary: provider('a', lies), witnesses: [provider('b', lies)], clock: clockAt(600) },
  })
  expect(await failureOf(client.verifyAtHeight(300))).toMatchObject({
    code: LIGHT_ERRORS.invalidHeader,
    data: { height: 344, fault: 'commit' },
  })
  expect(await client.trustedBlock(344)).toBeUndefined()
})
