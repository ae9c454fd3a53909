import { getEventListeners } from 'node:events'
import type { BlockMeta } from '@org/types'
import { ExecTxResult, ResponseCheckTx } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createChainMark } from '../src/client/chain-mark.ts'
import {
  createHttpTransport,
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  isRpcFailure,
  type ReconnectOptions,
  RPC_CLIENT_ERRORS,
  type RpcClient,
  RpcClientError,
} from '../src/client/index.ts'
import type { RpcTransport } from '../src/client/transport.ts'
import type { EventItem, Ports } from '../src/index.ts'
import { createDumpPorts } from './dump-ports.ts'
import { createMemoryEvents, type MemoryEvents } from './memory-events.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

let running: RunningRpc
let events: MemoryEvents
beforeAll(async () => {
  events = createMemoryEvents()
  const mempool = {
    checkTx: async () => ResponseCheckTx.create(),
    reapMaxTxs: () => [],
    size: () => 0,
    sizeBytes: () => 0,
    flush: () => undefined,
  }
  running = await startRpc({}, { events, mempool })
})
afterAll(() => running.listener.stop())

const overHttp = (): RpcClient => createRpcClient(createHttpTransport(`http://127.0.0.1:${running.port}`))
const overWebSocket = (): RpcClient =>
  createRpcClient(createWebSocketTransport(`ws://127.0.0.1:${running.port}/websocket`))

describe.each([
  ['HTTP', overHttp],
  ['WebSocket', overWebSocket],
])('client over %s', (_name, connect) => {
  test('default: results are typed', async () => {
    const client = connect()
    const { syncInfo, nodeInfo } = await client.status()
    expect(syncInfo.latestBlockHeight).toBe(75)
    expect(nodeInfo.version).toBe('0.38.25')
    const { block, blockId } = await client.block({ height: 53 })
    expect(block?.header.height).toBe(53)
    const same = await client.blockByHash({ hash: blockId.hash })
    expect(same.block).toEqual(block)
    const { header } = await client.headerByHash({ hash: blockId.hash })
    expect(header).toEqual(block?.header)
    const results = await client.blockResults({ height: 53n })
    expect(results.txsResults.length).toBe(block?.data.txs.length)
    const { validators } = await client.validators({ perPage: 2, page: 1 })
    expect(validators.length).toBe(2)
    client.close()
  })

  test('default: a batch returns the results of its calls', async () => {
    const client = connect()
    const [status, commit] = await client.batch((calls) => [calls.status(), calls.commit({ height: 3 })])
    expect(status.syncInfo.catchingUp).toBe(false)
    expect(commit?.canonical).toBe(true)
    client.close()
  })

  test('error: rejects a call of a batch that fails before it is sent', async () => {
    const client = connect()
    const failing = client.batch((calls) => [calls.status(), Promise.reject(new Error('not sent'))])
    await expect(failing).rejects.toThrow('not sent')
    client.close()
  })

  test('error: a refusal has the code and the explanation', async () => {
    const client = connect()
    await expect(client.block({ height: 1000 })).rejects.toMatchObject({
      code: RPC_CLIENT_ERRORS.refused,
      data: { rpcCode: -32603, detail: expect.stringContaining('must be less than or equal') },
    })
    client.close()
  })

  test('behavior: failures are distinguished by their code, with its data', async () => {
    const client = connect()
    const failure = await client.block({ height: 1000 }).then(
      () => undefined,
      (error: unknown) => (isRpcFailure(error) ? error : undefined),
    )
    expect(failure?.code === 'RPC_CLIENT_REFUSED' ? failure.data.method : undefined).toBe('block')
    client.close()
  })

  test('behavior: an aborted call rejects with the reason, and the next call is answered', async () => {
    const client = connect()
    const controller = new AbortController()
    const waiting = client.broadcastTxCommit({ tx: utf8ToBytes('c=d') }, { signal: controller.signal })
    const batch = client.batch((calls) => [calls.broadcastTxCommit({ tx: utf8ToBytes('e=f') })], {
      signal: controller.signal,
    })
    const both = Promise.allSettled([waiting, batch])
    await overHttp().status()
    controller.abort(new Error('enough'))
    expect((await both).map((one) => (one.status === 'rejected' ? one.reason.message : one))).toEqual([
      'enough',
      'enough',
    ])
    await expect(client.status({}, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never')
    // The node answers the calls of a WebSocket one after the other. The client aborted its call of
    // `broadcast_tx_commit`, but the node still waits for that transaction. This event ends the wait.
    events.commit({ height: 1, result: ExecTxResult.create() })
    client.close()
  })

  test('behavior: broadcast_tx_commit waits for the block', async () => {
    const client = connect()
    const answer = client.broadcastTxCommit({ tx: utf8ToBytes('a=b') })
    const result = {
      code: 0,
      data: new Uint8Array(0),
      log: '',
      info: '',
      gasWanted: 0n,
      gasUsed: 0n,
      events: [],
      codespace: '',
    }
    const timer = setInterval(() => events.commit({ height: 76, result }), 5)
    expect((await answer).height).toBe(76)
    clearInterval(timer)
    client.close()
  })
})

describe('subscriptions', () => {
  test('default: events arrive until the loop ends', async () => {
    const client = overWebSocket()
    const heights: string[] = []
    const timer = setInterval(
      () => events.publish({ data: { type: 'NewBlockEvents', height: 1, events: [], numTxs: 0 }, events: {} }),
      2,
    )
    for await (const { data } of client.subscribe("tm.event='NewBlockEvents'")) {
      heights.push(data.type)
      if (heights.length === 3) break
    }
    clearInterval(timer)
    expect(heights).toEqual(Array.from({ length: 3 }, () => 'tendermint/event/NewBlockEvents'))
    expect(events.numClients()).toBe(0)
    client.close()
  })

  test('error: a query that cannot be parsed is refused', async () => {
    const client = overWebSocket()
    const first = client.subscribe('')[Symbol.asyncIterator]().next()
    await expect(first).rejects.toMatchObject({ data: { detail: 'failed to parse query: offset 0: EOF' } })
    client.close()
  })

  test('error: refuses subscriptions over HTTP', () => {
    expect(() => overHttp().subscribe("tm.event='Tx'")).toThrow('WebSocket')
  })

  test('error: rejects for an address without a node', async () => {
    const client = createRpcClient(createHttpTransport('http://127.0.0.1:1'))
    await expect(client.health()).rejects.toMatchObject({ code: RPC_CLIENT_ERRORS.transport })
  })
})

describe('reconnecting', () => {
  const connect = () => createWebSocketTransport(`ws://127.0.0.1:${running.port}/websocket`)

  const query = "tm.event='NewBlockEvents'"
  const blockEvents = (height: number, numTxs = 0): EventItem => ({
    data: { type: 'NewBlockEvents', height, events: [], numTxs },
    events: {},
  })

  interface Lossy {
    readonly client: RpcClient
    readonly lose: () => void
    readonly connections: () => number
    readonly resumed: unknown[]
  }

  function lossy(options: ReconnectOptions = {}): Lossy {
    let last: ReturnType<typeof connect> | undefined
    let connections = 0
    const resumed: unknown[] = []
    const transport = createReconnectingTransport(
      () => {
        connections++
        last = connect()
        return last
      },
      { delayMs: 1, onResume: (resumption) => resumed.push(resumption), ...options },
    )
    return { client: createRpcClient(transport), lose: () => last?.close(), connections: () => connections, resumed }
  }

  test('behavior: a subscription continues over another connection, without gaps and duplicates', async () => {
    const { client, lose, connections, resumed } = lossy()
    let height = events.history?.lastHeight() ?? 0
    // Each block has two events, so that the connection is sometimes lost between two events of the same block.
    const publish = (): void => events.publishBlock([blockEvents(++height), blockEvents(height, 1)])
    const timer = setInterval(publish, 2)
    const seen: string[] = []
    for await (const { data } of client.subscribe(query)) {
      const { height: at, num_txs: count } = data.value as { height: string; num_txs: string }
      seen.push(`${at}/${count}`)
      if (seen.length % 5 === 0) {
        lose()
        // These two blocks are published while the client has no connection.
        publish()
        publish()
      }
      if (seen.length === 40) break
    }
    clearInterval(timer)
    const first = Number.parseInt(seen[0] ?? '', 10)
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => `${first + Math.floor(i / 2)}/${i % 2}`))
    expect(connections()).toBeGreaterThan(1)
    expect(resumed.length).toBeGreaterThan(0)
    client.close()
  })

  test.each([
    ['names another chain in its status', 'golden-kv-1', 'other-chain', { code: 'RPC_CLIENT_OTHER_CHAIN' }],
    [
      'refuses a place of another chain',
      'other-chain',
      'golden-kv-1',
      { data: { detail: expect.stringContaining('EVENTS_OTHER_CHAIN') } },
    ],
    [
      'has the same chain id and has not reached the height',
      'golden-kv-1',
      'golden-kv-1',
      {
        data: { detail: expect.stringContaining('EVENTS_AHEAD: height 1 has not been reached; the last height is 0') },
      },
    ],
  ])('error: refuses a node that after a lost connection %s', async (_name, chainId, network, failure) => {
    const { peers: port } = createDumpPorts('kvstore-single', { indexing: true })
    const before = createMemoryEvents()
    await using first = await startRpc({}, { events: before })
    await using second = await startRpc(
      {},
      {
        events: createMemoryEvents(chainId),
        peers: { ...port, nodeInfo: () => ({ ...port?.nodeInfo(), network }) } as NonNullable<Ports['peers']>,
      },
    )
    const connections: RpcTransport[] = []
    const transport = createReconnectingTransport(
      () => {
        const { port } = connections.length === 0 ? first : second
        const made = createWebSocketTransport(`ws://127.0.0.1:${port}/websocket`)
        connections.push(made)
        return made
      },
      { delayMs: 1 },
    )
    for (const height of [1, 2]) before.publishBlock([blockEvents(height)])
    const read = async (): Promise<void> => {
      let count = 0
      for await (const _event of transport.subscribe?.(query, { afterHeight: 0 }) ?? [])
        if (++count === 2) {
          before.publishBlock([blockEvents(3)])
          connections[0]?.close()
        }
    }
    await expect(read()).rejects.toMatchObject(failure)
    expect(connections).toHaveLength(2)
    transport.close()
  })

  test.each([
    ['subscribes to new events', {}],
    ['resumes after a height', { afterHeight: 2 }],
    ['begins with the first block', { afterHeight: 0 }],
  ])(
    'error: a chain that was reset under the same id is above the old height; the client %s',
    async (_name, subscribed) => {
      const { blocks } = createDumpPorts('kvstore-single', { indexing: true })
      const other = (height: number): BlockMeta | undefined => {
        const meta = blocks.loadBlockMeta(height)
        return meta === undefined ? undefined : { ...meta, blockId: { ...meta.blockId, hash: new Uint8Array(32) } }
      }
      const [before, after] = [createMemoryEvents(), createMemoryEvents()]
      await using first = await startRpc({}, { events: before })
      await using second = await startRpc({}, { events: after, blocks: { ...blocks, loadBlockMeta: other } })
      for (const events of [before, after]) for (let at = 1; at <= 4; at++) events.publishBlock([blockEvents(at)])
      const connections: RpcTransport[] = []
      const transport = createReconnectingTransport(
        () => {
          const { port } = connections.length === 0 ? first : second
          connections.push(createWebSocketTransport(`ws://127.0.0.1:${port}/websocket`))
          return connections.at(-1) as RpcTransport
        },
        { delayMs: 1 },
      )
      const subscribeTo = transport.subscribe as NonNullable<RpcTransport['subscribe']>
      const read = async (): Promise<void> => {
        for await (const event of subscribeTo(query, subscribed))
          if ((event.data.value as { height: string }).height === '5') connections[0]?.close()
      }
      const reading = read()
      while (before.numClients() === 0) await new Promise((resolve) => setImmediate(resolve))
      before.publishBlock([blockEvents(5)])
      await expect(reading).rejects.toMatchObject({
        code: 'RPC_CLIENT_OTHER_CHAIN',
        message: expect.stringContaining('reset under the same chain id'),
      })
      expect(connections).toHaveLength(2)
      transport.close()
    },
  )

  test('behavior: compares a recent block', async () => {
    const blockOf = (height: number) => [{ block_id: { hash: `hash of ${height}` } }]
    const asked: number[] = []
    const node: RpcTransport = {
      send: async (calls) =>
        calls.map(({ method, params }) => {
          if (method === 'status') return { result: { node_info: { network: 'a-chain' } } }
          asked.push(Number(params.minHeight))
          return { result: { block_metas: blockOf(Number(params.minHeight)) } }
        }),
      close: () => undefined,
    }
    const mark = createChainMark(undefined)
    await mark.check(node, undefined, undefined)
    for (let height = 1; height <= 1000; height++) await mark.follow(node, height, undefined)
    expect(asked).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 383, 511, 639, 767, 895])
    await mark.check(node, 999, undefined)
    expect(asked.at(-1)).toBe(895)
    expect(mark.chainId()).toBe('a-chain')
  })

  test('error: rejects if the missed events are no longer stored', async () => {
    const { client, lose } = lossy()
    let height = events.history?.lastHeight() ?? 0
    const timer = setInterval(() => events.publishBlock([blockEvents(++height)]), 2)
    const read = async (): Promise<void> => {
      for await (const _event of client.subscribe(query)) {
        events.publishBlock([blockEvents(++height)])
        events.prune(height + 1)
        lose()
      }
    }
    await expect(read()).rejects.toMatchObject({ data: { detail: expect.stringContaining('EVENTS_PRUNED') } })
    clearInterval(timer)
    client.close()
  })

  test('behavior: without resuming a subscription begins again with new events', async () => {
    const { client, lose, resumed } = lossy({ resume: false })
    let height = events.history?.lastHeight() ?? 0
    events.prune(height + 1000)
    const timer = setInterval(() => events.publish(blockEvents(++height)), 2)
    let count = 0
    for await (const _event of client.subscribe(query)) {
      if (++count === 2) lose()
      if (count === 5) break
    }
    clearInterval(timer)
    expect(resumed.length).toBe(1)
    client.close()
  })

  test('behavior: a transport that waited many times before new attempts has no listener of these waits', async () => {
    const added = vi.spyOn(AbortSignal.prototype, 'addEventListener')
    onTestFinished(() => added.mockRestore())
    const lost: RpcTransport = {
      send: () => Promise.reject(new RpcClientError(RPC_CLIENT_ERRORS.closed, 'lost')),
      close: () => undefined,
    }
    const waits = 20
    const transport = createReconnectingTransport(() => lost, { delayMs: 0, attempts: waits + 1 })
    await expect(transport.send([{ method: 'status', params: {} }])).rejects.toThrow('lost')
    expect(added.mock.calls.length).toBeGreaterThanOrEqual(waits)
    const signals = new Set(added.mock.contexts as AbortSignal[])
    expect([...signals].map((signal) => getEventListeners(signal, 'abort').length)).not.toContain(waits)
    transport.close()
  })

  test('behavior: repeats calls that only read, and never calls that change something', async () => {
    let failures = 0
    const client = createRpcClient(
      createReconnectingTransport(
        () => {
          const transport = connect()
          if (failures++ % 2 === 0) transport.close()
          return transport
        },
        { delayMs: 1 },
      ),
    )
    expect((await client.status()).syncInfo.latestBlockHeight).toBe(75)
    client.close()
    failures = 0
    const other = createRpcClient(
      createReconnectingTransport(
        () => {
          failures++
          const transport = connect()
          transport.close()
          return transport
        },
        { delayMs: 1 },
      ),
    )
    const refused = other.broadcastTxSync({ tx: utf8ToBytes('a=b') })
    await expect(refused).rejects.toMatchObject({ code: RPC_CLIENT_ERRORS.closed })
    expect(failures).toBe(1)
    other.close()
  })

  test('error: rejects after the last attempt', async () => {
    const transport = createReconnectingTransport(() => createWebSocketTransport('ws://127.0.0.1:1/websocket'), {
      delayMs: 1,
      attempts: 3,
    })
    await expect(createRpcClient(transport).health()).rejects.toMatchObject({ code: RPC_CLIENT_ERRORS.transport })
    transport.close()
  })
})
