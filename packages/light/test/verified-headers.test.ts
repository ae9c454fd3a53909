import type { RpcClient } from '@org/rpc/client'
import { nextTurn } from '@org/runtime'
import { makeBlock, makeValidators, runOn, type SignOptions, timeAt } from '@org/test-kit'
import { describe, expect, test } from 'vitest'
import { LIGHT_ERRORS, type LightBlock, type LightClient, type Provider } from '../src/index.ts'
import { createVerifiedMethods } from '../src/verified/index.ts'
import { blockOf, CHAIN, clockAt, failureOf, keysAt, makeClient, optionsFrom, provider } from './client-fixture.ts'

/** Makes a block with the header of the chain at a height, and with other signatures. */
function signedAgain(height: number, signing: SignOptions): LightBlock {
  const { header } = blockOf(CHAIN, height)
  const keys = keysAt(height)
  const validators = makeValidators(keys, 2, 0)
  return makeBlock({ height, time: timeAt(height), keys, validators, header, ...signing })
}

const withBlock = (block: LightBlock): Map<number, LightBlock> => new Map(CHAIN).set(block.header.height, block)

/**
 * Makes verified methods over a light client. These tests call only methods that the light client answers without the
 * RPC client. So the RPC client has only the function `close`.
 */
const methodsOver = (light: LightClient) =>
  createVerifiedMethods({}, { client: { close: () => undefined } as unknown as RpcClient, light })

describe('the commit of a verified header', () => {
  test('all signatures of a commit are verified, also those that the light client does not need', async () => {
    // One of the four signatures is forged. The light client accepts the commit, because the three valid signatures are
    // from validators with more than two thirds of the power.
    const primary = provider('liar', withBlock(signedAgain(2, { forged: [3] })))
    const verified = methodsOver(await makeClient({ modules: { primary } }))
    expect((await verified.header({ height: 2 })).header?.height).toBe(2)
    expect(await failureOf(verified.commit({ height: 2 }))).toMatchObject({
      code: LIGHT_ERRORS.wrongAnswer,
      data: { method: 'commit', reason: expect.stringContaining('wrong signature (#3)') },
    })
    expect((await verified.commit({ height: 3 }))?.signedHeader.commit).toEqual(blockOf(CHAIN, 3).commit)
  })

  test('a commit before the first trusted height is verified, and a primary with a wrong commit is removed', async () => {
    const lies = withBlock(signedAgain(45, { forged: [0] }))
    const modules = { primary: provider('liar', lies), witnesses: [provider('a'), provider('b')] }
    const light = await makeClient({ options: optionsFrom(50), modules })
    const verified = methodsOver(light)
    expect((await verified.commit({ height: 45 }))?.signedHeader.commit).toEqual(blockOf(CHAIN, 45).commit)
    expect(light.providers().primary.name).toBe('a')
  })

  test('a commit before the first trusted height is refused if too few validators signed it', async () => {
    const lies = withBlock(signedAgain(45, { signers: keysAt(45).slice(0, 2) }))
    const modules = { primary: provider('liar', lies), witnesses: [provider('other', lies)] }
    const light = await makeClient({ options: optionsFrom(50), modules })
    expect(await failureOf(light.verifyAtHeight(45))).toMatchObject({
      code: LIGHT_ERRORS.invalidHeader,
      data: { fault: 'commit' },
    })
  })
})

/**
 * Makes a provider that answers no further request after a call of `silence`. A request then ends only when it is
 * aborted.
 */
function silencing(inner: Provider): Provider & { readonly silence: () => void } {
  let isSilent = false
  return {
    ...inner,
    silence: () => {
      isSilent = true
    },
    lightBlock: (height, options = {}) => {
      if (!isSilent) return inner.lightBlock(height, options)
      return new Promise((_, reject) => options.signal?.addEventListener('abort', () => reject(options.signal?.reason)))
    },
  }
}

test('a stored block is returned while another call waits for a node', async () => {
  const primary = silencing(provider('primary'))
  const client = await makeClient({ modules: { primary } })
  await client.verifyAtHeight(20)
  primary.silence()
  const stop = new AbortController()
  const waiting = client.update({ signal: stop.signal })
  await nextTurn()
  const found = await Promise.race([client.verifyAtHeight(20), waitOf(50)])
  expect(found).toEqual(blockOf(CHAIN, 20))
  stop.abort('enough')
  await expect(waiting).rejects.toBe('enough')
})

/** Resolves to `undefined` after some turns of the event loop. */
async function waitOf(turns: number): Promise<undefined> {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
  return undefined
}

test('the wait for the next header ends at its limit, although each request takes long', async () => {
  const clock = clockAt(100)
  const inner = provider('slow')
  let isSlow = false
  const slow: Provider = {
    ...inner,
    lightBlock: async (height, options) => {
      if (isSlow) await clock.sleep(9000)
      return inner.lightBlock(height, options)
    },
  }
  const light = await makeClient({ modules: { primary: slow, clock } })
  await light.update()
  isSlow = true
  const client = { blockResults: async () => ({ height: 100 }), close: () => undefined } as unknown as RpcClient
  const verified = createVerifiedMethods({ maxWaitMs: 10_000 }, { client, light, clock })
  const begin = clock.monotonic()
  expect(await failureOf(runOn(clock, verified.blockResults({ height: 100 })))).toMatchObject({
    code: LIGHT_ERRORS.heightTooHigh,
    data: { height: 101 },
  })
  expect(clock.monotonic() - begin).toBeLessThan(20_000)
})
