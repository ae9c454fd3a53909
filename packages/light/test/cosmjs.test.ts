import { Comet38Client, HttpClient } from '@cosmjs/tendermint-rpc'
import { createHttpTransport, createRpcClient, type RpcTransport } from '@org/rpc/client'
import { HOUR } from '@org/test-kit'
import type { Json } from '@org/types/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createVerifiedTransport, type VerifiedTransportOptions } from '../src/cosmjs/index.ts'
import {
  createHttpProvider,
  createLightClient,
  createMemoryLightStore,
  LIGHT_ERRORS,
  type LightClient,
} from '../src/index.ts'
import { liesAbout, lyingTransport } from './lies.ts'
import { halley, type RunningNode, startNode } from './running-node.ts'

let node: RunningNode
let light: LightClient
let height: number
let hash: Uint8Array

beforeAll(async () => {
  node = await startNode(halley)
  const { url } = node
  const client = createRpcClient(createHttpTransport(url))
  const chainId = (await client.status()).nodeInfo.network
  const { blockId } = await client.block({ height: 3 })
  light = await createLightClient(
    { chainId, trust: { height: 3, hash: blockId.hash }, trustingPeriod: 10n * 365n * 24n * HOUR },
    {
      primary: createHttpProvider({ chainId, url }),
      witnesses: [createHttpProvider({ chainId, url })],
      store: createMemoryLightStore(),
    },
  )
  const [found] = (await client.txSearch({ query: 'tx.height > 3', perPage: 1 })).txs
  if (found === undefined) throw new Error('the recorded chain has no transaction')
  height = found.height
  hash = found.hash
})
afterAll(() => node?.[Symbol.asyncDispose]())

const over = async (transport: RpcTransport, options: VerifiedTransportOptions = {}): Promise<Comet38Client> =>
  Comet38Client.create(createVerifiedTransport(options, { transport, light }))

/** The calls of CosmJS' client, by the RPC method that each of them calls. */
const CALLS: Readonly<Record<string, (client: Comet38Client) => Promise<unknown>>> = {
  block: (client) => client.block(height),
  block_results: (client) => client.blockResults(height),
  block_search: (client) => client.blockSearch({ query: `block.height = ${height}` }),
  commit: (client) => client.commit(height),
  validators: (client) => client.validatorsAll(height),
  tx: (client) => client.tx({ hash, prove: true }),
  tx_search: (client) => client.txSearch({ query: `tx.height = ${height}`, prove: true }),
}

describe('the client of CosmJS over a verified transport', () => {
  test.each(Object.keys(CALLS))('the answer to %s equals the answer of the node', async (method) => {
    const call = CALLS[method] as (client: Comet38Client) => Promise<unknown>
    const plain = Comet38Client.create(new HttpClient(node.url))
    expect(await call(await over(createHttpTransport(node.url)))).toEqual(await call(plain))
  })

  test('the result has only the members that were verified, and the times in the form of the reference', async () => {
    const direct = createHttpTransport(node.url)
    const execute = async (transport: RpcTransport, method: string): Promise<unknown> => {
      const params = { height: String(height) }
      return (await createVerifiedTransport({}, { transport, light }).execute({ id: 1, method, params })).result
    }
    const adding = lyingTransport(direct, 'block_results', (result) => {
      const { txs_results: results } = result as { readonly txs_results: readonly object[] }
      return { ...(result as object), txs_results: results.map((one) => ({ ...one, gasUsed: '1000000' })) } as Json
    })
    expect(await execute(adding, 'block_results')).toEqual(await execute(direct, 'block_results'))

    // CosmJS drops the nanoseconds of a time that does not end with Z.
    const withOffset = lyingTransport(direct, 'block', (result) => {
      const text = JSON.stringify(result)
      return JSON.parse(text.replace(/("time":"[^"]*)Z"/, '$1+00:00"')) as Json
    })
    const { block } = await (await over(direct)).block(height)
    expect(block.header.time.nanoseconds).toBeGreaterThan(0)
    expect((await (await over(withOffset)).block(height)).block).toEqual(block)
  })

  test('calls that cannot be verified are sent to the node', async () => {
    const client = await over(createHttpTransport(node.url))
    expect((await client.status()).nodeInfo.network).toBe(light.chainId)
    const { hash: sent } = await client.broadcastTxSync({ tx: new TextEncoder().encode('cosmjs=1') })
    expect(sent).toHaveLength(32)
    await expect(client.block(1_000_000_000)).rejects.toThrow()
  })

  test('a query without a proof is refused, unless the options allow it', async () => {
    const transport = createHttpTransport(node.url)
    const query = { path: '/store/app/key', data: new TextEncoder().encode('some key') }
    const refused = (await over(transport)).abciQuery(query)
    await expect(refused).rejects.toMatchObject({ code: LIGHT_ERRORS.unprovable })
    const { code } = await (await over(transport, { allowUnproved: true })).abciQuery(query)
    expect(code).toBe(0)
    const proved = (await over(transport, { allowUnproved: true })).abciQuery({ ...query, prove: true })
    await expect(proved).rejects.toMatchObject({ code: LIGHT_ERRORS.unprovable })
  })

  test.each([
    ['block', /\.header\.app_hash$|\.data\.txs|\.signatures\.\*\.signature$/],
    ['tx', /^\.tx$|^\.hash$|^\.height$|^\.proof\.data$/],
    ['block_results', /\.(code|gas_used)$|^\.app_hash$/],
  ] as const)('a lie about %s is refused', async (method, members) => {
    const inner = createHttpTransport(node.url)
    let honest: Json = null
    const call = CALLS[method] as (client: Comet38Client) => Promise<unknown>
    await call(
      await over(
        lyingTransport(inner, method, (result) => {
          honest = result
          return result
        }),
        { maxWaitMs: 0 },
      ),
    )
    const lies = liesAbout(honest).filter(({ path }) => members.test(path))
    expect(lies.length).toBeGreaterThan(1)
    for (const { path, change } of lies) {
      const client = await over(lyingTransport(inner, method, change), { maxWaitMs: 0 })
      await expect(call(client), path).rejects.toThrow(
        /LIGHT_|is wrong|cannot be verified|has not reached|unexpected form/,
      )
    }
  })
})

test('a height that no block can have reaches the node unchanged', async () => {
  const heights = ['9007199254740993', '9223372036854775807', '-1']
  const sent: unknown[] = []
  const transport: RpcTransport = {
    send: async (calls) =>
      calls.map(({ params }) => {
        sent.push(params.height)
        return { error: { code: -32603, message: 'Internal error', data: 'no such height' } }
      }),
    close: () => undefined,
  }
  const verified = createVerifiedTransport({}, { transport, light: {} as LightClient })
  for (const height of heights) {
    const call = verified.execute({ id: 1, method: 'block', params: { height } })
    await expect(call).rejects.toThrow('no such height')
  }
  expect(sent).toEqual(heights)
})
