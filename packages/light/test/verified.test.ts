import { createHttpTransport, createRpcClient, type RpcClient, type RpcTransport } from '@org/rpc/client'
import { HOUR } from '@org/test-kit'
import type { Json } from '@org/types/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpProvider, createMemoryLightStore, isLightFailure } from '../src/index.ts'
import { createVerifiedClient, createVerifiedMethods, type VerifiedClient } from '../src/verified/index.ts'
import { liesAbout, lyingTransport } from './lies.ts'
import { halley, type RunningNode, reference, startNode } from './running-node.ts'

interface Chain {
  readonly transport: RpcTransport
  readonly client: RpcClient
  readonly verified: VerifiedClient
  /** The hash and the height of a transaction of the chain. */
  readonly tx: Uint8Array
  readonly height: number
}

async function connect({ url }: RunningNode): Promise<Chain> {
  const transport = createHttpTransport(url)
  const client = createRpcClient(transport)
  const { nodeInfo } = await client.status()
  const { blockId } = await client.block({ height: 3 })
  const chainId = nodeInfo.network
  const verified = await createVerifiedClient({
    client,
    trust: { chainId, height: 3, hash: blockId.hash, period: 10n * 365n * 24n * HOUR },
    witnesses: [createHttpProvider({ chainId, url })],
    store: createMemoryLightStore(),
  })
  const { txs } = await client.txSearch({ query: 'tx.height > 3', perPage: 1 })
  const [found] = txs
  if (found === undefined) throw new Error('the recorded chain has no transaction')
  return { transport, client, verified, tx: found.hash, height: found.height }
}

/** A call of each method, for the plain and for the verified client. */
const CALLS = {
  block: (client, { height }) => client.block({ height }),
  block_by_hash: async (client, { verified, height }) => {
    const { blockId } = await verified.block({ height })
    return client.blockByHash({ hash: blockId.hash })
  },
  block_search: (client, { height }) => client.blockSearch({ query: `block.height = ${height}` }),
  header: (client, { height }) => client.header({ height }),
  header_by_hash: async (client, { verified, height }) => {
    const { blockId } = await verified.block({ height })
    return client.headerByHash({ hash: blockId.hash })
  },
  validators: (client, { height }) => client.validators({ height }),
  tx: (client, { tx }) => client.tx({ hash: tx, prove: true }),
  tx_search: (client, { height }) => client.txSearch({ query: `tx.height = ${height}`, prove: true }),
  block_results: (client, { height }) => client.blockResults({ height }),
  consensus_params: (client, { height }) => client.consensusParams({ height }),
} satisfies Record<
  string,
  (client: Omit<VerifiedClient, 'light' | 'unverified'> | RpcClient, chain: Chain) => Promise<unknown>
>

type Method = keyof typeof CALLS
const METHODS = Object.keys(CALLS) as readonly Method[]

const verifiesTheChain = async (binary: string): Promise<void> => {
  await using node = await startNode(binary)
  const chain = await connect(node)
  for (const method of METHODS) {
    expect(await CALLS[method](chain.verified, chain), method).toEqual(await CALLS[method](chain.client, chain))
  }
  // The next calls name no height. Without a height, a call for a block returns the latest block. `blockResults`
  // returns the results of the newest block whose next header exists.
  const { block } = await chain.verified.block()
  const { signedHeader } = (await chain.verified.commit()) ?? {}
  const results = await chain.verified.blockResults()
  expect(block?.header.height).toBeGreaterThan(70)
  expect(signedHeader?.header?.height).toBeGreaterThanOrEqual(block?.header.height ?? 0)
  expect(results.height).toBeGreaterThan(70)
  expect(await chain.verified.validators()).toMatchObject({ total: (await chain.client.validators()).total })
}

test('a verified client returns the answers of a Halley node', () => verifiesTheChain(halley))

test.skipIf(reference === undefined)('a verified client returns the answers of a Go node', () =>
  verifiesTheChain(reference as string),
)

const EVENTS = ['attributes.*.index', 'attributes.*.key', 'attributes.*.value', 'attributes.length', 'type']
const eventsAt = (path: string): readonly string[] => [
  ...EVENTS.map((member) => `${path}.events.*.${member}`),
  `${path}.events.length`,
]
const resultAt = (path: string): readonly string[] => [
  `${path}.code`,
  ...eventsAt(path),
  `${path}.gas_used`,
  `${path}.gas_wanted`,
]
const ROUND = 'block.last_commit.round'
/** For each method, the members of its answer that no proof covers. The README has the same table. */
const NOT_VERIFIED: Partial<Record<Method, readonly string[]>> = {
  block: [`.${ROUND}`],
  block_by_hash: [`.${ROUND}`],
  block_search: [`.blocks.*.${ROUND}`, '.blocks.length', '.total_count'],
  tx: resultAt('.tx_result'),
  tx_search: ['.total_count', ...resultAt('.txs.*.tx_result'), '.txs.length'],
  block_results: eventsAt('.txs_results.*'),
  consensus_params: [
    '.consensus_params.abci.vote_extensions_enable_height',
    '.consensus_params.evidence.max_age_duration',
    '.consensus_params.evidence.max_age_num_blocks',
    '.consensus_params.evidence.max_bytes',
    '.consensus_params.validator.pub_key_types.*',
    '.consensus_params.validator.pub_key_types.length',
    '.consensus_params.version.app',
  ],
}

describe('a changed member of an answer is refused, unless it is listed as not verified', () => {
  let node: RunningNode
  let chain: Chain
  beforeAll(async () => {
    node = await startNode(halley)
    chain = await connect(node)
  })
  afterAll(() => node?.[Symbol.asyncDispose]())

  test.each(['tx_search', 'block_search'] as const)(
    'error: %s refuses a list with the same item twice',
    async (method) => {
      const twice = (result: Json): Json => {
        const [[name, list]] = Object.entries(result as Record<string, Json[]>).filter(([, each]) =>
          Array.isArray(each),
        ) as [[string, Json[]]]
        return { ...(result as object), [name]: [...list, ...list] }
      }
      const client = createRpcClient(lyingTransport(chain.transport, method, twice))
      const verified = createVerifiedMethods({ maxWaitMs: 0 }, { client, light: chain.verified.light })
      const answer = CALLS[method](verified, chain)
      await expect(answer).rejects.toMatchObject({ code: 'LIGHT_WRONG_ANSWER', data: { reason: 'duplicate items' } })
    },
  )

  test.each(METHODS)('%s', async (method) => {
    let raw: Json | undefined
    const listen = lyingTransport(chain.transport, method, (result) => {
      raw = result
      return result
    })
    const overClient = (transport: RpcTransport): VerifiedClient =>
      createVerifiedMethods({ maxWaitMs: 0 }, { client: createRpcClient(transport), light: chain.verified.light })
    const honest = await CALLS[method](overClient(listen), chain)
    // The light client itself answers calls for headers and validator sets, without a call to the node.
    expect(raw === undefined).toBe(method === 'header' || method === 'validators')
    const believed = new Set<string>()
    for (const { path, change } of liesAbout(raw ?? null)) {
      const lied = CALLS[method](overClient(lyingTransport(chain.transport, method, change)), chain)
      const answer = await lied.catch((error: { readonly code?: string }) => {
        if (!isLightFailure(error) && !error.code?.startsWith('RPC_CLIENT_')) throw error
        return undefined
      })
      if (answer === undefined) continue
      try {
        expect(answer).toEqual(honest)
      } catch {
        believed.add(path)
      }
    }
    expect([...believed].sort()).toEqual(NOT_VERIFIED[method] ?? [])
  })
})
