import { makeTemporaryFolder } from '@org/golden'
import { createChain } from '@org/simnet'
import { RequestFinalizeBlock, RequestInitChain, RequestQuery } from '@org/types/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp, createTable, encodeTransaction, message, query, type StandardSchema } from '../src/index.ts'
import { openLevelStorage } from '../src/level/index.ts'

const texts = createTable<string>('text')

const SCHEMAS = {
  zod: z.object({ key: z.string(), text: z.string().max(5) }),
  valibot: v.object({ key: v.string(), text: v.pipe(v.string(), v.maxLength(5)) }),
  arktype: type({ key: 'string', text: 'string <= 5' }),
}

describe('schemas of other libraries', () => {
  test.each(Object.entries(SCHEMAS))('%s', async (_name, schema) => {
    const app = () =>
      createApp({
        signatures: false,
        messages: { write: message(schema, ({ state }, { key, text }) => texts.set(state, key, text)) },
        queries: { text: query(z.string(), ({ state }, key) => texts.get(state, key)) },
      })
    await using chain = await createChain({ app })
    const write = (value: unknown) => chain.broadcast(encodeTransaction({ type: 'write', value }))
    expect((await write({ key: 'a', text: 'hello' })).code).toBe(0)
    expect(await write({ key: 'a', text: 'too long' })).toMatchObject({
      code: 3,
      log: expect.stringContaining('text'),
    })
    expect(await write({ key: 5, text: 'hello' })).toMatchObject({ code: 3, log: expect.stringContaining('key') })
    expect(bytesToUtf8((await chain.query('/text', '"a"')).value)).toBe('"hello"')
    expect((await chain.query('/text', '{')).log).toContain('not JSON')
    expect((await chain.query('/no')).log).toContain('/text')
  })
})

test('error: an argument of a query that is nested more than 64 levels deep is refused', () => {
  const app = createApp({ signatures: false, messages: {}, queries: { echo: query(z.any(), (_, value) => value) } })
  const ask = (argument: string) =>
    app.query(RequestQuery.create({ path: '/echo', data: utf8ToBytes(argument), height: 0 }))
  const nested = (levels: number): string => `${'['.repeat(levels)}"[[["${']'.repeat(levels)}`
  expect(ask(nested(64))).toMatchObject({ value: utf8ToBytes(nested(64)) })
  const log = expect.stringContaining('in the argument of the query are nested more than 64 levels deep')
  for (const levels of [65, 100_000]) expect(ask(nested(levels))).toMatchObject({ code: 1, log })
})

describe('error: mistakes in handlers', () => {
  const app = (errors: unknown[]) =>
    createApp({
      signatures: false,
      onError: (error) => errors.push(error),
      messages: {
        promote: message(z.object({ bytes: z.number(), power: z.string() }), ({ setValidator }, { bytes, power }) =>
          setValidator({ type: 'ed25519', bytes: new Uint8Array(bytes).fill(7) }, BigInt(power)),
        ),
        nobody: message(z.null(), ({ setValidator }) => setValidator(undefined as never, 1n)),
        late: message(z.null(), async () => {
          throw new Error('late')
        }),
      },
      queries: { late: query(z.undefined(), async () => 5), method: query(z.undefined(), () => () => 5) },
    })

  test.each([
    ['a negative power', 'promote', { bytes: 32, power: '-1' }, 'from 0 to'],
    ['a power above the maximum', 'promote', { bytes: 32, power: String(2n ** 60n) }, 'from 0 to'],
    ['a key of a wrong size', 'promote', { bytes: 31, power: '1' }, 'public key'],
    ['no key', 'nobody', null, 'public key'],
    ['a promise that is rejected later', 'late', null, 'promise'],
  ])('%s makes the transaction fail, and the chain continues', async (_, type, value, mentioned) => {
    const errors: unknown[] = []
    await using chain = await createChain({ app: () => app(errors) })
    const log = expect.stringContaining(mentioned)
    expect(await chain.broadcast(encodeTransaction({ type, value }))).toMatchObject({ code: 7, log })
    expect(errors).toMatchObject([{ code: 'APP_BAD_OPTION' }])
    await chain.advance({ blocks: 1 })
    const added = { bytes: 32, power: String(2n ** 59n) }
    expect(await chain.broadcast(encodeTransaction({ type: 'promote', value: added }))).toMatchObject({ code: 0 })
  })

  test.each([
    ['/late', 'returned a promise'],
    ['/method', 'cannot be written as JSON'],
  ])(
    'the answer of the query %s cannot be JSON: the query fails, and the error is reported',
    async (path, mentioned) => {
      const errors: unknown[] = []
      await using chain = await createChain({ app: () => app(errors) })
      expect(await chain.query(path)).toMatchObject({ code: 1, log: expect.stringContaining(mentioned) })
      expect(errors).toHaveLength(1)
    },
  )
})

describe('options', () => {
  const schema = z.string()
  const write = message(schema, () => undefined)

  test.each([
    ['no messages', {}, 'messages'],
    ['a bare function as a message', { messages: { a: () => 1 } }, 'messages.a'],
    ['an unknown option', { messages: {}, message: {} }, '"message"'],
    [
      'a query with the name of a built-in one',
      { messages: {}, queries: { state: query(schema, () => 1) } },
      'queries.state',
    ],
    ['no gas', { messages: { write }, maxGas: 0 }, 'maxGas'],
    ['one version', { messages: { write }, keptVersions: 1 }, 'keptVersions'],
  ])('refused: %s', (_name, options, mentioned) => {
    expect(() => createApp(options as never)).toThrow(
      expect.objectContaining({ code: 'APP_BAD_OPTION', message: expect.stringContaining(mentioned) }),
    )
  })

  test('refused: something that is not a schema, a promise of a schema, a name of a table', async () => {
    expect(() => message({} as StandardSchema, () => undefined)).toThrow('Standard Schema')
    expect(() => message(schema, undefined as never)).toThrow('function')
    expect(() => createTable('a/b')).toThrow('letters')
    const slow = z.string().refine(async () => true)
    expect(() => message(slow, () => undefined).prepare('text')).toThrow(/promise|async/i)
  })
})

describe('a state on disk', () => {
  const open = async (path: string) =>
    createApp({
      signatures: false,
      storage: await openLevelStorage(path),
      messages: { write: message(SCHEMAS.zod, ({ state }, { key, text }) => texts.set(state, key, text)) },
    })

  async function makeBlock(app: Awaited<ReturnType<typeof open>>, height: number, text: string) {
    const txs = [encodeTransaction({ type: 'write', value: { key: `${height}`, text } })]
    const { appHash } = await app.finalizeBlock(RequestFinalizeBlock.create({ height, txs }))
    return appHash
  }

  test('a process that ends before Commit loses the block only', async () => {
    await using folder = await makeTemporaryFolder('halley-app-')
    const path = `${folder.path}/state`
    const first = await open(path)
    await first.initChain(RequestInitChain.create({ chainId: 'disk', initialHeight: 5 }))
    const hash = await makeBlock(first, 5, 'one')
    await first.commit({})
    await makeBlock(first, 6, 'lost')
    await expect(open(path)).rejects.toMatchObject({ code: 'APP_STORAGE_LOCKED' })
    await first.close()

    const second = await open(path)
    expect(await second.info({} as never)).toMatchObject({ lastBlockHeight: 5, lastBlockAppHash: hash })
    expect(() => second.initChain(RequestInitChain.create({ chainId: 'disk', initialHeight: 5 }))).toThrow(
      expect.objectContaining({ code: 'APP_CALL_ORDER' }),
    )
    const next = await makeBlock(second, 6, 'two')
    await second.commit({})
    expect(next).not.toEqual(hash)
    await second.close()
    await expect(second.commit({})).rejects.toMatchObject({ code: 'APP_CALL_ORDER' })
  })
})
