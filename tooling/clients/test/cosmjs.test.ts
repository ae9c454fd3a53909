import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Comet38Client, connectComet, HttpBatchClient } from '@cosmjs/tendermint-rpc'
import { freePort, type NodeProcess, startNodeProcess } from '@org/golden'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const halley = new URL('../../../apps/node/bin/halley', import.meta.url).pathname
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

let directory = ''
let node: NodeProcess
let port = 0

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'halley-cosmjs-'))
  const home = join(directory, 'home')
  execFileSync(halley, ['init', '--home', home])
  port = await freePort()
  node = startNodeProcess({
    binary: halley,
    args: [
      ...['start', '--home', home, '--proxy_app=kvstore', '--consensus.timeout_commit=100ms'],
      ...[`--rpc.laddr=tcp://127.0.0.1:${port}`, `--p2p.laddr=tcp://127.0.0.1:${await freePort()}`],
    ],
    home,
    rpcPort: port,
    logFile: join(directory, 'log'),
  })
  await node.ready()
  // Before the first block, the answer to `status` has empty hashes. This client refuses empty hashes, both from
  // Halley and from the Go node.
  const first = await fetch(`http://127.0.0.1:${port}/broadcast_tx_commit?tx="first=1"`)
  expect(first.status).toBe(200)
})

afterAll(async () => {
  await node.stop()
  await rm(directory, { recursive: true, force: true })
})

const CONNECTIONS = {
  http: () => Comet38Client.connect(`http://127.0.0.1:${port}`),
  batch: async () => Comet38Client.create(new HttpBatchClient(`http://127.0.0.1:${port}`)),
  websocket: () => Comet38Client.connect(`ws://127.0.0.1:${port}`),
}

test('behavior: the client of CosmJS chooses its version for v0.38', async () => {
  const client = await connectComet(`http://127.0.0.1:${port}`)
  expect(client).toBeInstanceOf(Comet38Client)
  client.disconnect()
})

describe.each(Object.keys(CONNECTIONS) as (keyof typeof CONNECTIONS)[])('Comet38Client over %s', (kind) => {
  let client: Comet38Client
  beforeAll(async () => {
    client = await CONNECTIONS[kind]()
  })
  afterAll(() => client.disconnect())

  test('default: every method answers', async () => {
    const committed = await client.broadcastTxCommit({ tx: encode(`${kind}=value`) })
    expect(committed.checkTx.code).toBe(0)
    expect(committed.txResult?.code).toBe(0)
    const height = committed.height
    expect((await client.broadcastTxSync({ tx: encode(`${kind}-sync=1`) })).code).toBe(0)
    expect((await client.broadcastTxAsync({ tx: encode(`${kind}-async=1`) })).hash.length).toBe(32)
    expect((await client.numUnconfirmedTxs()).total).toBeGreaterThanOrEqual(0)

    const status = await client.status()
    expect(status.nodeInfo.version).toMatch(/^0\.38\./)
    expect(status.syncInfo.latestBlockHeight).toBeGreaterThanOrEqual(height)
    expect(await client.health()).toBe(null)
    expect((await client.abciInfo()).lastBlockHeight).toBeGreaterThanOrEqual(height)
    const query = await client.abciQuery({ path: '/key', data: encode(kind) })
    expect(new TextDecoder().decode(query.value)).toBe('value')

    const block = await client.block(height)
    expect(block.block.header.height).toBe(height)
    expect(block.block.txs.map((tx) => new TextDecoder().decode(tx))).toContain(`${kind}=value`)
    expect((await client.block()).block.header.height).toBeGreaterThanOrEqual(height)
    const results = await client.blockResults(height)
    expect(results.results.length).toBe(block.block.txs.length)
    const chain = await client.blockchain(1, height)
    expect(chain.blockMetas.length).toBeGreaterThan(0)
    // For the last block, `canonical` is false until the next block contains the commit of the last block.
    await expect.poll(async () => (await client.commit(height)).canonical, { timeout: 20_000 }).toBe(true)
    expect((await client.commit(height)).header.height).toBe(height)
    const genesis = await client.genesis()
    expect(genesis.chainId).toBe(status.nodeInfo.network)
    expect((await client.validators({ height })).total).toBe(1)
    expect((await client.validatorsAll(height)).validators.length).toBe(1)

    const tx = await client.tx({ hash: committed.hash, prove: true })
    expect(tx.height).toBe(height)
    expect(tx.proof?.proof.total).toBe(block.block.txs.length)
    expect((await client.txSearch({ query: `tx.height=${height}` })).totalCount).toBe(block.block.txs.length)
    expect(
      (await client.txSearchAll({ query: `app.key='${kind}'`, prove: true })).txs.map((found) => found.height),
    ).toEqual([height])
    expect((await client.blockSearch({ query: `block.height=${height}` })).totalCount).toBe(1)
    const all = await client.blockSearchAll({ query: 'block.height>0' })
    expect(all.blocks.map(({ block: found }) => found.header.height)).toEqual(all.blocks.map((_, at) => at + 1))
  })

  test('error: an invalid request rejects with the error text of the reference', async () => {
    await expect(client.block(1_000_000)).rejects.toThrow(
      /height 1000000 must be less than or equal to the current blockchain height/,
    )
    await expect(client.tx({ hash: new Uint8Array(32) })).rejects.toThrow(/not found/)
  })
})

test('behavior: subscriptions deliver blocks, headers and transactions', async () => {
  const client = await CONNECTIONS.websocket()
  const blocks: number[] = []
  const headers: number[] = []
  const { promise: seen, resolve, reject } = Promise.withResolvers<string>()
  const subscriptions = [
    client.subscribeNewBlock().subscribe({ next: ({ header }) => void blocks.push(header.height), error: reject }),
    client.subscribeNewBlockHeader().subscribe({ next: ({ height }) => void headers.push(height), error: reject }),
    client
      .subscribeTx("app.key='watched'")
      .subscribe({ next: ({ tx }) => resolve(new TextDecoder().decode(tx)), error: reject }),
  ]
  await client.broadcastTxSync({ tx: encode('other=1') })
  await client.broadcastTxSync({ tx: encode('watched=1') })
  expect(await seen).toBe('watched=1')
  await expect.poll(() => Math.min(blocks.length, headers.length), { timeout: 20_000 }).toBeGreaterThanOrEqual(3)
  for (const heights of [blocks, headers]) expect(heights).toEqual(heights.map((_, at) => (heights[0] ?? 0) + at))
  for (const subscription of subscriptions) subscription.unsubscribe()
  client.disconnect()
})
