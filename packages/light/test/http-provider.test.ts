import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSeededRandom } from '@org/runtime'
import { makeChain, makeKeys, runOn } from '@org/test-kit'
import type { JsonObject } from '@org/types/schema'
import { describe, expect, test } from 'vitest'
import {
  createHttpProvider,
  createLightClient,
  createMemoryLightStore,
  type HttpProviderOptions,
  LIGHT_ERRORS,
  type LightBlock,
  type ProviderRetry,
} from '../src/index.ts'
import { blockOf, CHAIN, clockAt, failureOf, forkAfter, optionsFrom } from './client-fixture.ts'
import { type Lie, startMadeNode } from './made-node.ts'

const random = createSeededRandom(1)
const clock = clockAt(100)
const providerOf = (url: string, options: Partial<HttpProviderOptions> = {}) =>
  createHttpProvider({ chainId: 'made', url, ...options }, { clock, random })

const many = makeKeys(250, 'many')
const large = makeChain({ to: 2, keysAt: () => many })

describe('the provider over HTTP', () => {
  test('the commit and all pages of the validators are fetched', async () => {
    await using node = await startMadeNode(large)
    expect(await providerOf(node.url).lightBlock(2)).toEqual(large.get(2))
    expect(node.calls.map(({ method, params }) => [method, params.page])).toEqual([
      ['commit', undefined],
      ['validators', '1'],
      ['validators', '2'],
      ['validators', '3'],
    ])
    // The first request is for the commit and the first page of validators. The second request is for all other pages.
    expect(node.requests()).toBe(2)
  })

  test('a further block is fetched in one request', async () => {
    await using node = await startMadeNode(large)
    const provider = providerOf(node.url)
    await provider.lightBlock(1)
    const before = node.requests()
    expect(await provider.lightBlock(2)).toEqual(large.get(2))
    expect(node.requests()).toBe(before + 1)
  })

  test('a set with more or fewer pages than the set before is fetched', async () => {
    const changing = makeChain({ to: 3, keysAt: (height) => (height === 2 ? many : many.slice(0, 150)) })
    await using node = await startMadeNode(changing)
    const provider = providerOf(node.url)
    for (const height of [1, 2, 3]) expect(await provider.lightBlock(height)).toEqual(changing.get(height))
  })

  test('a node that accepts only one call in a request receives one call in a request', async () => {
    await using node = await startMadeNode(large, undefined, { refuseBatches: true })
    const provider = providerOf(node.url)
    for (const height of [1, 2]) expect(await provider.lightBlock(height)).toEqual(large.get(height))
    // The node refuses the first request, which has several calls. Then the node receives four requests for each block,
    // each with one call.
    expect(node.requests()).toBe(9)
    expect(node.calls).toHaveLength(8)
  })

  test('validators that the header names are not fetched again', async () => {
    await using node = await startMadeNode(large)
    const { validators } = blockOf(large, 1)
    expect((await providerOf(node.url).lightBlock(2, { validators })).validators).toBe(validators)
    expect(node.calls.map(({ method }) => method)).toEqual(['commit'])
    const other = blockOf(CHAIN, 1).validators
    expect(await providerOf(node.url).lightBlock(2, { validators: other })).toEqual(large.get(2))
  })

  test('the latest block is fetched, for each form of the address', async () => {
    await using node = await startMadeNode(CHAIN)
    const host = node.url.slice('http://'.length)
    for (const url of [node.url, `tcp://${host}`, host]) {
      expect(await providerOf(url).lightBlock(undefined)).toEqual(CHAIN.get(100))
    }
  })

  test('a height that is too high and a missing height are reported with their codes', async () => {
    await using node = await startMadeNode(new Map([...CHAIN].filter(([height]) => height !== 5)))
    const failure = (height: number) => failureOf(providerOf(node.url).lightBlock(height))
    const data = { provider: node.url }
    expect(await failure(101)).toMatchObject({ code: LIGHT_ERRORS.heightTooHigh, data: { ...data, height: 101 } })
    expect(await failure(5)).toMatchObject({ code: LIGHT_ERRORS.notFound, data: { ...data, height: 5 } })
  })

  test('a node without a block answers with an empty header', async () => {
    const lie: Lie = () => ({ signed_header: { header: null, commit: null }, canonical: false })
    await using node = await startMadeNode(CHAIN, lie)
    expect(await failureOf(providerOf(node.url).lightBlock(3))).toMatchObject({ code: LIGHT_ERRORS.heightTooHigh })
  })

  const validators =
    (change: (result: JsonObject) => JsonObject): Lie =>
    (result, { method }) =>
      method === 'validators' ? change(result) : result
  const list = (result: JsonObject): JsonObject[] => result.validators as unknown as JsonObject[]

  test.each<[string, Lie, number]>([
    ['claims many more validators', validators((result) => ({ ...result, total: '1000000' })), 2],
    ['sends empty pages', validators((result) => ({ ...result, validators: [] })), 2],
    [
      'sends pages that are too long',
      validators((result) => ({ ...result, validators: [...list(result), ...list(result)] })),
      2,
    ],
    [
      'repeats a validator',
      validators((result) => ({ ...result, validators: list(result).map(() => list(result)[0] as JsonObject) })),
      4,
    ],
    [
      'sends a validator with another power',
      validators((result) => ({ ...result, validators: list(result).map((one) => ({ ...one, voting_power: '3' })) })),
      4,
    ],
    [
      'sends a key of a wrong size',
      validators((result) => ({
        ...result,
        validators: list(result).map((one) => ({
          ...one,
          pub_key: { type: 'tendermint/PubKeyEd25519', value: 'AAAA' },
        })),
      })),
      4,
    ],
    [
      // The header's hash covers keys and powers, but no addresses (GHSA-6jrf-4jv4-r9mw).
      'gives a validator the address of another one',
      validators((result) => {
        const [first, second, ...rest] = list(result)
        return { ...result, validators: [first, { ...second, address: first?.address }, ...rest] } as JsonObject
      }),
      4,
    ],
    ['sends an answer of another form', (result) => ({ ...result, signed_header: 7 }), 2],
  ])('a block is refused if its node %s', async (_name, lie, calls) => {
    await using node = await startMadeNode(large, lie)
    const failure = await failureOf(providerOf(node.url).lightBlock(2))
    expect(failure).toMatchObject({ code: LIGHT_ERRORS.badBlock, data: { provider: node.url, height: 2 } })
    expect(node.calls.length).toBeLessThanOrEqual(calls)
  })

  test('a node that refuses for another reason gets the error for no answer, and receives no further request', async () => {
    await using node = await startMadeNode(large, () => ({ error: { code: -32603, message: 'Internal error' } }))
    expect(await failureOf(providerOf(node.url).lightBlock(2))).toMatchObject({ code: LIGHT_ERRORS.noResponse })
    // The client sends the first call again in a separate request, because the node may refuse several calls in one
    // request.
    expect(node.requests()).toBe(2)
  })

  test('a block of another height, of another chain, or with a wrong commit is refused', async () => {
    const other = makeChain({ to: 4, keysAt: () => many.slice(0, 4), chainId: 'other' })
    const one = blockOf(CHAIN, 4)
    for (const block of [
      blockOf(CHAIN, 5),
      blockOf(other, 4),
      { ...one, commit: blockOf(CHAIN, 5).commit },
    ] as LightBlock[]) {
      await using node = await startMadeNode(new Map([[4, block]]))
      const { code, message } = await failureOf(providerOf(node.url).lightBlock(4))
      expect(code).toBe(LIGHT_ERRORS.badBlock)
      // The message names the node only once.
      expect(message.split(node.url)).toHaveLength(2)
    }
  })

  test('an answer that never ends is read up to the limit, and not requested again', async () => {
    await using node = await startMadeNode(CHAIN, () => `{"result":"${'x'.repeat(3_000_000)}`)
    const failure = await failureOf(providerOf(node.url, { maxAnswerBytes: 1_000_000 }).lightBlock(4))
    expect(failure).toMatchObject({
      code: LIGHT_ERRORS.badBlock,
      message: expect.stringMatching(
        /^\S+ sent an invalid answer for the block at height 4: \D+ more than 1000000 bytes/,
      ),
    })
    expect(node.requests()).toBe(1)
  })

  test('an answer with too many values is not parsed', async () => {
    const answers = ['{},', '[', '0,'].map((unit) => `{"result":[${unit.repeat(100_001)}`)
    for (const answer of answers) {
      await using node = await startMadeNode(CHAIN, () => answer)
      expect(await failureOf(providerOf(node.url).lightBlock(4))).toMatchObject({
        code: LIGHT_ERRORS.badBlock,
        message: expect.stringContaining('more than 100000 values'),
      })
    }
  })

  test('a node that does not answer is asked again, with growing pauses', async () => {
    await using node = await startMadeNode(CHAIN, () => undefined)
    const own = clockAt(100)
    const retries: ProviderRetry[] = []
    const silent = createHttpProvider(
      { chainId: 'made', url: node.url, attempts: 3, timeoutMs: 1000 },
      { clock: own, random, onRetry: (retry) => retries.push(retry) },
    )
    const call = silent.lightBlock(4)
    call.catch(() => undefined)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      await expect.poll(node.requests).toBe(attempt)
      const before = own.monotonic()
      own.advance(1000)
      if (attempt === 3) break
      await expect.poll(own.pending).toBe(1)
      own.next()
      waits.push(own.monotonic() - before - 1000)
    }
    expect(await failureOf(call)).toMatchObject({ code: LIGHT_ERRORS.noResponse, data: { height: 4 } })
    expect(waits.map((wait) => Math.floor(wait / 500))).toEqual([expect.toBeOneOf([1, 2]), expect.toBeOneOf([4, 5])])
    expect(retries.map(({ pauseMs }) => pauseMs)).toEqual(waits)
    for (const { provider, error } of retries) {
      expect([provider, (error as Error).message]).toEqual([node.url, 'no answer within 1000 ms'])
    }
  })

  test('a node that does not answer with JSON, or does not run, has the error for no answer', async () => {
    await using node = await startMadeNode(CHAIN, () => '<html>502</html>')
    const url = 'http://127.0.0.1:1'
    for (const address of [node.url, url]) {
      const own = clockAt(100)
      const once = createHttpProvider({ chainId: 'made', url: address, attempts: 1 }, { clock: own, random })
      expect(await failureOf(once.lightBlock(4))).toMatchObject({ code: LIGHT_ERRORS.noResponse })
    }
  })

  test.each([301, 302, 307, 308])(
    'a redirect (%i) counts as no answer, and its target receives no request',
    async (status) => {
      await using other = await startMadeNode(CHAIN)
      let asked = 0
      const server = createServer((_request, response) => {
        asked++
        response.writeHead(status, { location: other.url }).end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      expect(await failureOf(providerOf(`http://127.0.0.1:${port}`).lightBlock(2))).toMatchObject({
        code: LIGHT_ERRORS.noResponse,
        message: expect.stringContaining(`it redirects to "${other.url}": if you trust that address`),
      })
      expect([asked, other.requests()]).toEqual([1, 0])
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  )

  test('a signal that aborts ends the request with its reason', async () => {
    await using node = await startMadeNode(CHAIN, () => undefined)
    const stop = new AbortController()
    const call = providerOf(node.url).lightBlock(4, { signal: stop.signal })
    await expect.poll(node.requests).toBe(1)
    stop.abort('enough')
    await expect(call).rejects.toBe('enough')
  })

  test('a client detects an attack over HTTP, and both nodes receive evidence', async () => {
    await using liar = await startMadeNode(forkAfter(12, 40))
    await using honest = await startMadeNode(CHAIN)
    const own = clockAt(100)
    const client = await createLightClient(optionsFrom(1), {
      primary: createHttpProvider({ chainId: 'made', url: liar.url }, { clock: own, random }),
      witnesses: [createHttpProvider({ chainId: 'made', url: honest.url }, { clock: own, random })],
      store: createMemoryLightStore(),
      clock: own,
    })
    const failure = await failureOf(client.verifyAtHeight(30))
    expect(failure).toMatchObject({ code: LIGHT_ERRORS.attack, data: { primary: liar.url, witness: honest.url } })
    for (const node of [liar, honest]) {
      const reports = node.calls.filter(({ method }) => method === 'broadcast_evidence')
      expect(reports).toHaveLength(1)
      expect(reports[0]?.params.evidence).toMatchObject({ type: 'tendermint/LightClientAttackEvidence' })
    }
  })
})

test('no request is sent again after the call has ended', async () => {
  await using node = await startMadeNode(CHAIN, () => '')
  const own = clockAt(100)
  const provider = createHttpProvider({ chainId: 'made', url: node.url }, { clock: own, random })
  const stop = new AbortController()
  const call = provider.lightBlock(4, { signal: stop.signal })
  call.catch(() => undefined)
  // The node receives one request with both calls, and then one request with only the first call.
  await expect.poll(node.requests).toBe(2)
  await expect.poll(own.pending).toBe(1)
  stop.abort('enough')
  await expect(runOn(own, call)).rejects.toBe('enough')
  expect(node.requests()).toBe(2)
})
