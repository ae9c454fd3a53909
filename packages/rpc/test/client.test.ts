import { ResponseCheckTx } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createHttpTransport,
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  RPC_CLIENT_ERRORS,
  type RpcClient,
} from '../src/client/index.ts'
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
  test('default: typed results', async () => {
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

  test('default: a batch', async () => {
    const client = connect()
    const [status, commit] = await client.batch((calls) => [calls.status(), calls.commit({ height: 3 })])
    expect(status.syncInfo.catchingUp).toBe(false)
    expect(commit?.canonical).toBe(true)
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
  test('default: events come until the loop is left', async () => {
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

  test('error: a query that does not parse', async () => {
    const client = overWebSocket()
    const first = client.subscribe('')[Symbol.asyncIterator]().next()
    await expect(first).rejects.toMatchObject({ data: { detail: 'failed to parse query: offset 0: EOF' } })
    client.close()
  })

  test('error: HTTP has none', () => {
    expect(() => overHttp().subscribe("tm.event='Tx'")).toThrow('WebSocket')
  })

  test('error: a node that nobody answers for', async () => {
    const client = createRpcClient(createHttpTransport('http://127.0.0.1:1'))
    await expect(client.health()).rejects.toMatchObject({ code: RPC_CLIENT_ERRORS.transport })
  })
})

describe('reconnecting', () => {
  const connect = () => createWebSocketTransport(`ws://127.0.0.1:${running.port}/websocket`)

  test('behavior: a subscription goes on over another connection', async () => {
    let last: ReturnType<typeof connect> | undefined
    let connections = 0
    const resumed: unknown[] = []
    const transport = createReconnectingTransport(
      () => {
        connections++
        last = connect()
        return last
      },
      { delayMs: 1, onResume: (resumption) => resumed.push(resumption) },
    )
    const client = createRpcClient(transport)
    const timer = setInterval(
      () => events.publish({ data: { type: 'NewBlockEvents', height: 9, events: [], numTxs: 0 }, events: {} }),
      2,
    )
    const query = "tm.event='NewBlockEvents'"
    let seen = 0
    for await (const { data } of client.subscribe(query)) {
      expect(data.type).toBe('tendermint/event/NewBlockEvents')
      if (++seen === 2) last?.close()
      if (seen === 5) break
    }
    clearInterval(timer)
    expect(connections).toBe(2)
    expect(resumed).toEqual([{ query, lastHeight: 9 }])
    client.close()
  })

  test('behavior: what only reads is asked again, what changes something never', async () => {
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

  test('error: after the last attempt', async () => {
    const transport = createReconnectingTransport(() => createWebSocketTransport('ws://127.0.0.1:1/websocket'), {
      delayMs: 1,
      attempts: 3,
    })
    await expect(createRpcClient(transport).health()).rejects.toMatchObject({ code: RPC_CLIENT_ERRORS.transport })
    transport.close()
  })
})
