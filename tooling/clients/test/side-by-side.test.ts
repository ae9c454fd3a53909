import { Comet38Client } from '@cosmjs/tendermint-rpc'
import {
  createHttpTransport,
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  heightOf,
} from '@org/rpc/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientNode, NODES, startClientNode } from './support.ts'

/** The values that all three clients must receive from a node. Hashes are in upper-case hexadecimal. */
interface Seen {
  readonly network: string
  readonly height: number
  readonly blockHash: string
  readonly txs: readonly string[]
  readonly code: number
  readonly gas: string
  readonly attributes: readonly string[]
  readonly power: string
  readonly proof: number
  readonly found: number
  readonly refused: string
}

type Ask = (key: string) => Promise<Seen>

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
const encode = (value: string): Uint8Array => new TextEncoder().encode(value)
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/**
 * Calls `ask` again and again until it finds the transaction. The reference indexes a transaction some time after its
 * commit, so the first search may fail.
 */
async function found<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 200; ; left--) {
    try {
      return await ask()
    } catch (error) {
      if (left === 0 || !String((error as Error).message).includes('not found')) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function ours(port: number, kind: 'http' | 'websocket'): Ask {
  return async (key) => {
    const transport =
      kind === 'http'
        ? createHttpTransport(`http://127.0.0.1:${port}`)
        : createWebSocketTransport(`ws://127.0.0.1:${port}/websocket`)
    const client = createRpcClient(transport)
    const { height, hash } = await client.broadcastTxCommit({ tx: encode(`${key}=v`) })
    const { nodeInfo } = await client.status()
    const [block, results, validators] = await client.batch((calls) => [
      calls.block({ height }),
      calls.blockResults({ height }),
      calls.validators({ height }),
    ])
    const tx = await found(() => client.tx({ hash, prove: true }))
    const hits = await client.txSearch({ query: `app.key='${key}'` })
    const refused = await client.block({ height: 10_000_000 }).catch((error: Error) => error.message)
    client.close()
    const [result] = results.txsResults
    return {
      network: nodeInfo.network,
      height,
      blockHash: hex(block.blockId.hash),
      txs: block.block?.data.txs.map(text) ?? [],
      code: result?.code ?? -1,
      gas: String(result?.gasWanted),
      attributes: result?.events.flatMap(({ attributes }) => attributes.map((one) => `${one.key}=${one.value}`)) ?? [],
      power: String(validators.validators[0]?.votingPower),
      proof: tx.proof?.proof.total ?? 0,
      found: hits.totalCount,
      refused: String(refused),
    }
  }
}

function cosmjs(port: number, url: string): Ask {
  return async (key) => {
    const client = await Comet38Client.connect(`${url}://127.0.0.1:${port}`)
    const { height, hash } = await client.broadcastTxCommit({ tx: encode(`${key}=v`) })
    const { nodeInfo } = await client.status()
    const block = await client.block(height)
    const { results } = await client.blockResults(height)
    const { validators } = await client.validators({ height })
    const tx = await found(() => client.tx({ hash, prove: true }))
    const hits = await client.txSearch({ query: `app.key='${key}'` })
    const refused = await client.block(10_000_000).catch((error: Error) => error.message)
    client.disconnect()
    const [result] = results
    return {
      network: nodeInfo.network,
      height,
      blockHash: hex(block.blockId.hash),
      txs: block.block.txs.map(text),
      code: result?.code ?? -1,
      gas: String(result?.gasWanted),
      attributes: result?.events.flatMap(({ attributes }) => attributes.map((one) => `${one.key}=${one.value}`)) ?? [],
      power: String(validators[0]?.votingPower),
      proof: tx.proof?.proof.total ?? 0,
      found: hits.totalCount,
      refused: String(refused),
    }
  }
}

type Json = { readonly [key: string]: never }

/**
 * Makes a client that sends requests as tendermint-rs does for v0.38. Ids are UUIDs, and all parameters are named.
 * Missing parameters are `null`, heights and numbers are strings, and hashes are in base64.
 */
function rust(port: number): Ask {
  let next = 0
  const call = async <T = Json>(method: string, params: object): Promise<T> => {
    const id = `6f9619ff-8b86-4011-b42d-${String(++next).padStart(12, '0')}`
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'tendermint.rs/0.40.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    })
    const body = (await answer.json()) as { id: string; result: T; error?: { message: string; data: string } }
    expect(body.id).toBe(id)
    if (body.error !== undefined) throw new Error(`${body.error.message}: ${body.error.data}`)
    return body.result
  }
  return async (key) => {
    const base64 = Buffer.from(`${key}=v`).toString('base64')
    const committed = await call<{ height: string; hash: string }>('broadcast_tx_commit', { tx: base64 })
    const { height, hash } = committed
    const status = await call<{ node_info: { network: string } }>('status', {})
    const block = await call<{ block_id: { hash: string }; block: { data: { txs: string[] } } }>('block', { height })
    const results = await call<{
      txs_results: { code: number; gas_wanted: string; events: { attributes: { key: string; value: string }[] }[] }[]
    }>('block_results', { height })
    const { validators } = await call<{ validators: { voting_power: string }[] }>('validators', {
      height,
      page: '1',
      per_page: null,
    })
    const asked = { hash: Buffer.from(hash, 'hex').toString('base64'), prove: true }
    const tx = await found(() => call<{ proof: { proof: { total: string } } }>('tx', asked))
    const query = `app.key = '${key}'`
    const paging = { page: '1', per_page: '30', order_by: 'asc' }
    const hits = await call<{ total_count: string }>('tx_search', { query, prove: false, ...paging })
    const refused = await call('block', { height: '10000000' }).catch((error: Error) => error.message)
    await call('consensus_params', { height: null })
    await call('abci_query', {
      path: null,
      data: Buffer.from(key).toString('hex').toUpperCase(),
      height: null,
      prove: false,
    })
    const [result] = results.txs_results
    return {
      network: status.node_info.network,
      height: Number(height),
      blockHash: block.block_id.hash,
      txs: block.block.data.txs.map((one) => Buffer.from(one, 'base64').toString()),
      code: result?.code ?? -1,
      gas: result?.gas_wanted ?? '',
      attributes: result?.events.flatMap(({ attributes }) => attributes.map((one) => `${one.key}=${one.value}`)) ?? [],
      power: validators[0]?.voting_power ?? '',
      proof: Number(tx.proof.proof.total),
      found: Number(hits.total_count),
      refused: String(refused),
    }
  }
}

const expected = (key: string, seen: Seen) => ({
  network: seen.network,
  height: seen.height,
  blockHash: expect.stringMatching(/^[0-9A-F]{64}$/) as string,
  txs: [`${key}=v`],
  code: 0,
  gas: '0',
  attributes: expect.arrayContaining([`key=${key}`]) as string[],
  power: '10',
  proof: 1,
  found: 1,
  refused: expect.stringContaining(
    'height 10000000 must be less than or equal to the current blockchain height',
  ) as string,
})

describe.each(Object.keys(NODES))('clients side by side at %s', (name) => {
  const binary = NODES[name]
  if (binary === undefined) console.log(`skipped: ${name} is not on PATH`)
  let node: ClientNode
  beforeAll(async () => {
    if (binary !== undefined) node = await startClientNode(binary)
  })
  afterAll(() => node?.stop())

  test.skipIf(binary === undefined)(
    'default: CosmJS, a client like tendermint-rs, and our client receive the same values',
    async () => {
      const { port } = node
      const clients: Readonly<Record<string, Ask>> = {
        cosmjshttp: cosmjs(port, 'http'),
        cosmjsws: cosmjs(port, 'ws'),
        rust: rust(port),
        ourshttp: ours(port, 'http'),
        oursws: ours(port, 'websocket'),
      }
      const networks = new Set<string>()
      for (const [key, ask] of Object.entries(clients)) {
        // The reference indexes a transaction after its commit, so a search directly after the commit may not find it.
        const seen = await ask(key)
        expect({ ...seen, found: seen.found === 0 && name === 'cometbft' ? 1 : seen.found }, key).toEqual(
          expected(key, seen),
        )
        networks.add(seen.network)
      }
      expect(networks.size).toBe(1)
    },
  )

  test.skipIf(binary === undefined)(
    'behavior: our client continues a subscription after a lost connection',
    async () => {
      let last: { readonly close: () => void } | undefined
      const client = createRpcClient(
        createReconnectingTransport(() => {
          const made = createWebSocketTransport(`ws://127.0.0.1:${node.port}/websocket`)
          last = made
          return made
        }),
      )
      const heights: number[] = []
      for await (const event of client.subscribe("tm.event = 'NewBlock'")) {
        heights.push(heightOf(event) ?? 0)
        if (heights.length === 3) last?.close()
        if (heights.length === 8) break
      }
      client.close()
      expect(heights).toEqual(heights.toSorted((a, b) => a - b))
      expect(new Set(heights).size).toBe(8)
      // After a reconnection, the Go node sends only new events. Halley continues after the last event that the
      // client received.
      if (name === 'halley') expect(heights).toEqual(heights.map((_, i) => (heights[0] ?? 0) + i))
    },
  )
})
