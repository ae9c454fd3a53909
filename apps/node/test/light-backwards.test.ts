import {
  createLightClient,
  createMemoryLightStore,
  hashOf,
  LIGHT_ERRORS,
  type LightBlock,
  type LightClient,
  LightError,
  type Provider,
} from '@org/light'
import { createMemoryProvider } from '@org/light/testing'
import { createVirtualClock, nextTurn } from '@org/runtime'
import { HOUR, SECOND, timeAt } from '@org/test-kit'
import { describe, expect, test } from 'vitest'
import { createBackwardsClient } from '../src/light/backwards-client.ts'
import { createBackwardsStore } from '../src/light/backwards-store.ts'
import { LIGHT_PROXY_ERRORS } from '../src/light/errors.ts'
import { CHAIN_ID, makeBlocks } from './support/made-blocks.ts'

const BLOCKS = makeBlocks(500)
const blockAt = (height: number): LightBlock => BLOCKS.get(height) as LightBlock
const TRUSTED = 400

interface Setup {
  readonly pruningSize?: number
  readonly bounds?: { readonly maxVerifications: number; readonly maxWaitingCalls: number }
}

/**
 * Makes a light client that trusts height 400, and a second client that verifies old heights. Also returns the function
 * `close`, which makes the primary leave requests unanswered.
 *
 * The parameter `gated` of `close` is a function. The primary does not answer requests for the heights for which
 * `gated` returns true. By default, these are the heights below 400. `close` returns a function that lets the primary
 * answer these requests.
 */
async function startClients({ pruningSize = 1000, bounds = { maxVerifications: 4, maxWaitingCalls: 60 } }: Setup = {}) {
  const node = createMemoryProvider({ chainId: CHAIN_ID, name: 'primary' }, BLOCKS)
  let gate = Promise.resolve()
  let isGated = (height: number): boolean => height < TRUSTED
  const primary: Provider = {
    ...node,
    lightBlock: async (height, options) => {
      if (height !== undefined && isGated(height)) await gate
      return node.lightBlock(height, options)
    },
  }
  const clock = createVirtualClock(timeAt(500) + SECOND)
  const store = createMemoryLightStore()
  const options = { chainId: CHAIN_ID, trustingPeriod: 10n * HOUR, pruningSize }
  const light = await createLightClient(
    { ...options, backwards: false, trust: { height: TRUSTED, hash: hashOf(blockAt(TRUSTED)) } },
    { primary, witnesses: [createMemoryProvider({ chainId: CHAIN_ID, name: 'witness' }, BLOCKS)], store, clock },
  )
  const backwards = createBackwardsClient({ ...options, ...bounds }, { light, store, clock })
  const close = (gated = isGated): (() => void) => {
    isGated = gated
    const open = Promise.withResolvers<void>()
    gate = open.promise
    return open.resolve
  }
  return { light, backwards, store, node, close, asked: () => node.asked.filter((height) => height < TRUSTED) }
}

describe('a verification backwards', () => {
  test('default: calls for other heights are answered while verifications backwards run', async () => {
    const { backwards, close } = await startClients()
    const open = close()
    const verifications = [10, 20, 30, 40, 50, 60].map((height) => backwards.verifyAtHeight(height))
    await nextTurn()
    expect(await backwards.verifyAtHeight(450)).toEqual(blockAt(450))
    expect(await backwards.update()).toEqual(blockAt(500))
    // Height 420 is old too, but the trusted block 400 is below it. So no verification backwards is needed.
    expect(await backwards.verifyAtHeight(420)).toEqual(blockAt(420))
    open()
    expect(await Promise.all(verifications)).toEqual([10, 20, 30, 40, 50, 60].map(blockAt))
  })

  test('error: a verification above the bound is refused with advice, and is accepted when another one ends', async () => {
    const { backwards, close } = await startClients({ bounds: { maxVerifications: 2, maxWaitingCalls: 3 } })
    const open = close()
    const stop = new AbortController()
    const stopped = backwards.verifyAtHeight(390, { signal: stop.signal })
    stopped.catch(() => undefined)
    const verifications = [391, 392, 393, 394].map((height) => backwards.verifyAtHeight(height))
    await nextTurn()
    await expect(backwards.verifyAtHeight(395)).rejects.toThrow(
      expect.objectContaining({
        code: LIGHT_PROXY_ERRORS.busy,
        message: 'the proxy has 5 calls for old heights already, which is the maximum: try again in a minute',
      }),
    )
    expect(await backwards.verifyAtHeight(450)).toEqual(blockAt(450))
    stop.abort('gone')
    await expect(stopped).rejects.toBe('gone')
    const accepted = backwards.verifyAtHeight(395)
    open()
    expect(await Promise.all([...verifications, accepted])).toEqual([391, 392, 393, 394, 395].map(blockAt))
  })

  test('default: calls for the same old height share one verification', async () => {
    const { backwards, close, asked } = await startClients({ bounds: { maxVerifications: 2, maxWaitingCalls: 10 } })
    const open = close()
    const same = Array.from({ length: 6 }, () => backwards.verifyAtHeight(395))
    const other = backwards.verifyAtHeight(398)
    await nextTurn()
    open()
    expect(await other).toEqual(blockAt(398))
    expect(await Promise.all(same)).toEqual(same.map(() => blockAt(395)))
    expect(asked().filter((height) => height === 395)).toHaveLength(1)
  })

  test('behavior: a shared verification continues when one caller leaves, and ends when the last one leaves', async () => {
    const { backwards, close, asked } = await startClients()
    const open = close()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = backwards.verifyAtHeight(390, { signal: one.signal })
    const second = backwards.verifyAtHeight(390, { signal: two.signal })
    await nextTurn()
    one.abort('gone')
    await expect(first).rejects.toBe('gone')
    const third = backwards.verifyAtHeight(390)
    two.abort('gone, too')
    await expect(second).rejects.toBe('gone, too')
    open()
    expect(await third).toEqual(blockAt(390))
    const openAgain = close()
    const stop = new AbortController()
    const last = backwards.verifyAtHeight(380, { signal: stop.signal })
    await nextTurn()
    stop.abort('gone')
    await expect(last).rejects.toBe('gone')
    const before = asked().length
    openAgain()
    await nextTurn()
    expect(asked()).toHaveLength(before)
  })

  test('error: calls for the same old height count towards the bound', async () => {
    const { backwards, close } = await startClients({ bounds: { maxVerifications: 2, maxWaitingCalls: 3 } })
    const open = close()
    const same = Array.from({ length: 5 }, () => backwards.verifyAtHeight(390))
    await nextTurn()
    await expect(backwards.verifyAtHeight(390)).rejects.toThrow(
      expect.objectContaining({ code: LIGHT_PROXY_ERRORS.busy }),
    )
    open()
    expect(await Promise.all(same)).toEqual(same.map(() => blockAt(390)))
  })

  test('behavior: with a full store, an interrupted verification continues at its last saved block', async () => {
    const { backwards, store, node, asked } = await startClients({ pruningSize: 3 })
    for (let height = 401; height < 405; height++) await backwards.verifyAtHeight(height)
    expect(await store.size()).toBe(3)
    const stop = new AbortController()
    const lightBlock = node.lightBlock
    Object.assign(node, {
      lightBlock: (height: number | undefined, options: object) => {
        if (height === 100) stop.abort('late')
        return lightBlock(height, options)
      },
    })
    await expect(backwards.verifyAtHeight(90, { signal: stop.signal })).rejects.toBe('late')
    // The light client's own store is full, so with each of these blocks it removes its lowest block. It must not
    // remove the block that the interrupted verification saved last.
    for (let height = 405; height < 410; height++) await backwards.verifyAtHeight(height)
    const before = asked().length
    expect(await backwards.verifyAtHeight(90)).toEqual(blockAt(90))
    const again = asked().slice(before)
    expect(again[0]).toBe(90)
    expect(again.length).toBeLessThan(150)
    // The second call sends no requests, because the verified block is stored.
    expect(await backwards.verifyAtHeight(90)).toEqual(blockAt(90))
    expect(asked()).toHaveLength(before + again.length)
  })

  test('behavior: other calls do not wait if the block below a height is removed while its call waits', async () => {
    const { backwards, store, close } = await startClients({ pruningSize: 2 })
    await backwards.verifyAtHeight(420)
    const open = close((height) => height === 440)
    const newer = backwards.verifyAtHeight(440)
    const older = backwards.verifyAtHeight(405)
    await nextTurn()
    // From now on the primary does not answer requests below height 410, so the verification of height 405 cannot end.
    const openOlder = close((height) => height < 410)
    open()
    expect(await newer).toEqual(blockAt(440))
    expect(await store.firstHeight()).toBe(420)
    expect(await backwards.verifyAtHeight(450)).toEqual(blockAt(450))
    openOlder()
    expect(await older).toEqual(blockAt(405))
  })

  test('behavior: after an attack, no further old height is verified', async () => {
    const { backwards, light, asked, close } = await startClients()
    const attack = new LightError(LIGHT_ERRORS.attack, 'an attack', {})
    const attacked = createBackwardsClient(
      { chainId: CHAIN_ID, trustingPeriod: 10n * HOUR, maxVerifications: 1, maxWaitingCalls: 0 },
      {
        light: { ...light, update: () => Promise.reject(attack) } as LightClient,
        store: createMemoryLightStore(),
        clock: createVirtualClock(),
      },
    )
    await expect(attacked.update()).rejects.toBe(attack)
    await expect(attacked.verifyAtHeight(10)).rejects.toBe(attack)
    expect(asked()).toEqual([])
    close()()
    expect(await backwards.verifyAtHeight(399)).toEqual(blockAt(399))
  })

  test.each([0, -1, 1.5, Number.NaN])('error: the height %d is refused', async (height) => {
    const { backwards } = await startClients()
    await expect(backwards.verifyAtHeight(height)).rejects.toThrow(
      expect.objectContaining({ code: LIGHT_ERRORS.option, message: expect.stringContaining('whole number from 1') }),
    )
  })
})

describe('the store of verifications backwards', () => {
  test('limit: the block that was used least recently is forgotten first', async () => {
    const stored = createMemoryLightStore()
    await stored.save(blockAt(400))
    const store = createBackwardsStore(stored, { maxBlocks: 3, maxWeight: 1000 })
    for (const height of [300, 200, 100]) await store.save(blockAt(height))
    expect(await store.after(250)).toEqual(blockAt(300))
    await store.save(blockAt(50))
    expect([await store.size(), await store.at(200), await store.at(300)]).toEqual([3, undefined, blockAt(300)])
    expect([await store.firstHeight(), await store.lastHeight(), await stored.size()]).toEqual([50, 400, 1])
    expect([await store.after(310), await store.before(310), await store.before(401)]).toEqual(
      [400, 300, 400].map(blockAt),
    )
    await store.prune(1)
    await store.remove(300)
    expect(await store.size()).toBe(0)
    expect(await store.at(400)).toEqual(blockAt(400))
  })

  test('limit: the validators and signatures of all blocks are bounded, and one block is always kept', async () => {
    const store = createBackwardsStore(createMemoryLightStore(), { maxBlocks: 100, maxWeight: 13 })
    // Each block has three validators and three signatures.
    for (const height of [300, 200, 200, 100]) await store.save(blockAt(height))
    expect([await store.size(), await store.firstHeight()]).toEqual([2, 100])
    // Two verifications save the same block at the same time. The store counts the weight of this block once.
    for (let i = 0; i < 20; i++) await Promise.all([store.save(blockAt(50)), store.save(blockAt(50))])
    await store.save(blockAt(40))
    expect([await store.size(), await store.firstHeight()]).toEqual([2, 40])
    const small = createBackwardsStore(createMemoryLightStore(), { maxBlocks: 100, maxWeight: 1 })
    for (const height of [300, 200]) await small.save(blockAt(height))
    expect([await small.size(), await small.at(200)]).toEqual([1, blockAt(200)])
  })
})
