import { once } from 'node:events'
import { connect } from 'node:net'
import { serve } from '@hono/node-server'
import { createVirtualClock } from '@org/runtime'
import { ResponseCheckTx, ResponseInfo, ResponseQuery } from '@org/types/abci'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createRpc, type EventItem, serveApp } from '../src/index.ts'
import { createDumpPorts } from './dump-ports.ts'
import { createMemoryEvents } from './memory-events.ts'
import { startRpc } from './start-rpc.ts'

const EVENT: EventItem = {
  data: { type: 'NewBlockEvents', height: 7, events: [], numTxs: 0 },
  events: { 'tm.event': ['NewBlockEvents'] },
}
const QUERY = "tm.event='NewBlockEvents'"

interface Client {
  readonly socket: WebSocket
  readonly send: (text: string | Uint8Array) => void
  readonly call: (id: number | string, method: string, params?: unknown) => void
  readonly next: () => Promise<string>
}

async function open(port: number): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  const messages: string[] = []
  let wake = (): void => undefined
  socket.on('message', (data) => {
    messages.push(String(data))
    wake()
  })
  await once(socket, 'open')
  return {
    socket,
    send: (text) => socket.send(text),
    call: (id, method, params) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params })),
    next: async () => {
      while (messages.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return messages.shift() as string
    },
  }
}

describe('calls', () => {
  test('behavior: answers keep the order of the calls', async () => {
    await using running = await startRpc()
    const client = await open(running.port)
    // The answer to `tx` is ready later than the answer to `health`.
    for (let i = 0; i < 20; i++) client.call(i, i % 2 === 0 ? 'tx' : 'health', i % 2 === 0 ? { hash: 'AA==' } : {})
    for (let i = 0; i < 20; i++) expect(JSON.parse(await client.next())).toMatchObject({ id: i })
    client.socket.terminate()
  })

  test('behavior: a client that does not read gets no further answers, and gets all of them once it reads', async () => {
    const CALLS = 300
    const value = new Uint8Array(200_000)
    let asked = 0
    const app = {
      info: async () => ResponseInfo.create(),
      checkTx: async () => ResponseCheckTx.create(),
      query: async () => {
        asked++
        return ResponseQuery.create({ value })
      },
    }
    await using running = await startRpc({}, { app })
    const client = await open(running.port)
    client.socket.pause()
    for (let i = 0; i < CALLS; i++) client.call(i, 'abci_query')
    const other = await open(running.port)
    // The other client makes one call after the other. The loop ends after 50 successive calls of the other client
    // during which no call of the first client ran. The calls of the first client have then stopped.
    for (let quiet = 0, before = 0; quiet < 50; quiet = asked > 0 && asked === before ? quiet + 1 : 0) {
      before = asked
      other.call(1, 'health')
      await other.next()
    }
    expect(asked).toBeLessThan(CALLS / 2)
    client.socket.resume()
    for (let i = 0; i < CALLS; i++) expect(await client.next()).toMatch(`{"jsonrpc":"2.0","id":${i},"result"`)
    expect(asked).toBe(CALLS)
    client.socket.terminate()
    other.socket.terminate()
  })

  test('behavior: thousands of empty messages wait for one call, and are answered', async () => {
    const submitted: (() => void)[] = []
    const app = {
      info: async () => ResponseInfo.create(),
      checkTx: async () => ResponseCheckTx.create(),
      query: () => new Promise<ResponseQuery>((resolve) => submitted.push(() => resolve(ResponseQuery.create()))),
    }
    await using running = await startRpc({}, { app })
    const client = await open(running.port)
    client.call(1, 'abci_query')
    for (let i = 0; i < 5000; i++) client.send('')
    await expect.poll(() => submitted.length).toBe(1)
    submitted[0]?.()
    expect(await client.next()).toContain('"id":1,"result"')
    for (let i = 0; i < 5000; i++) expect(await client.next()).toContain('EOF')
    client.socket.terminate()
  })

  test.each([
    ['nothing', '', 'EOF'],
    ['half a request', '{"id":1', 'unexpected EOF'],
    ['no request', '5', 'json: cannot unmarshal number into Go value'],
  ])('error: %s', async (_name, text, why) => {
    await using running = await startRpc()
    const client = await open(running.port)
    client.send(text)
    expect(await client.next()).toContain(`error unmarshaling request: ${why}`)
    client.socket.terminate()
  })

  test('error: a message that is too long closes the connection with 1009', async () => {
    await using running = await startRpc({ maxBodyBytes: 100 })
    const client = await open(running.port)
    client.send(`{"id":1,"x":"${'a'.repeat(100)}"}`)
    const [code] = (await once(client.socket, 'close')) as [number]
    expect(code).toBe(1009)
  })

  test('behavior: bytes that are not UTF-8 are read as U+FFFD', async () => {
    await using running = await startRpc()
    const client = await open(running.port)
    client.socket.send(Buffer.from('7b226964223a22ff222c226d6574686f64223a226865616c7468227d', 'hex'), {
      binary: false,
    })
    expect(JSON.parse(await client.next())).toMatchObject({ id: '\ufffd', result: {} })
    client.socket.terminate()
  })
})

describe('subscriptions', () => {
  test('default: events have the id of the subscription, and all subscribers get the same bytes', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({}, { events })
    const clients = await Promise.all([open(running.port), open(running.port)])
    for (const client of clients) {
      client.call(5, 'subscribe', { query: QUERY })
      expect(await client.next()).toBe('{"jsonrpc":"2.0","id":5,"result":{}}')
    }
    events.publish(EVENT)
    for (const client of clients) {
      expect(await client.next()).toBe(
        `{"jsonrpc":"2.0","id":5,"result":{"query":"${QUERY}","data":{"type":"tendermint/event/NewBlockEvents","value":{"height":"7","events":[],"num_txs":"0"}},"events":{"tm.event":["NewBlockEvents"]}}}`,
      )
      client.call(6, 'unsubscribe', [QUERY])
      expect(await client.next()).toBe('{"jsonrpc":"2.0","id":6,"result":{}}')
    }
    expect(events.numClients()).toBe(0)
    for (const { socket } of clients) socket.terminate()
  })

  test('error: too many subscriptions of one client, and too many clients, are refused', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ maxSubscriptionsPerClient: 1, maxSubscriptionClients: 1 }, { events })
    const first = await open(running.port)
    first.call(1, 'subscribe', { query: QUERY })
    await first.next()
    first.call(2, 'subscribe', { query: "tm.event='Tx'" })
    expect(await first.next()).toContain('max_subscription_clients 1 reached')
    const second = await open(running.port)
    second.call(1, 'subscribe', { query: QUERY })
    expect(await second.next()).toContain('max_subscription_clients 1 reached')
    for (const { socket } of [first, second]) socket.terminate()
  })

  test('behavior: the subscriptions of a connection end with it', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({}, { events })
    const client = await open(running.port)
    client.call(1, 'subscribe', { query: QUERY })
    await client.next()
    client.socket.terminate()
    await once(client.socket, 'close')
    while (events.numClients() > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  test('behavior: subscribers of a node that stops get an error', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({}, { events })
    const client = await open(running.port)
    client.call(1, 'subscribe', { query: QUERY })
    await client.next()
    events.stop()
    expect(await client.next()).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Server error","data":"subscription was canceled (reason: CometBFT exited)"}}',
    )
    client.socket.terminate()
  })

  test('behavior: a block with more events than may wait reaches a client that reads', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ subscriptionBufferSize: 10, websocketWriteBufferSize: 10 }, { events })
    const client = await open(running.port)
    client.call(1, 'subscribe', { query: QUERY })
    await client.next()
    // All events of a block are published in one turn of the event loop, so they all wait for the client at once. After
    // each block, the client makes a call. Its answer shows that the node has not canceled the subscription.
    for (const block of [0, 1]) {
      for (let i = 0; i < 1000; i++) {
        const height = block * 1000 + i + 1
        events.publish({ ...EVENT, data: { ...EVENT.data, height } as EventItem['data'] })
      }
      for (let i = 0; i < 1000; i++)
        expect(JSON.parse(await client.next()).result.data.value.height).toBe(String(block * 1000 + i + 1))
      client.call(2, 'health')
      expect(await client.next()).toBe('{"jsonrpc":"2.0","id":2,"result":{}}')
    }
    client.socket.terminate()
  })

  test('behavior: events, and an answer between them, arrive in the order in which they were sent', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({}, { events })
    const client = await open(running.port)
    client.call(1, 'subscribe', { query: QUERY })
    await client.next()
    events.publish(EVENT)
    events.stop()
    expect(await client.next()).toContain('"height":"7"')
    expect(await client.next()).toContain('CometBFT exited')
    client.socket.terminate()
  })

  test('behavior: a node that stops sends its waiting messages before the close', async () => {
    const events = createMemoryEvents()
    const running = await startRpc({}, { events })
    const client = await open(running.port)
    client.call(1, 'subscribe', { query: QUERY })
    await client.next()
    const closed = once(client.socket, 'close')
    events.publish(EVENT)
    const stopped = running.listener.stop()
    expect(await client.next()).toContain('"height":"7"')
    expect((await closed)[0]).toBe(1001)
    await stopped
  })

  test('behavior: a client that does not read loses its subscription, and the memory of the node stays bounded', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ subscriptionBufferSize: 10, websocketWriteBufferSize: 10 }, { events })
    const client = await open(running.port)
    client.call(1, 'subscribe', { query: QUERY })
    await client.next()
    client.socket.pause()
    const large = { ...EVENT, events: { 'a.b': ['x'.repeat(200_000)] } }
    for (let i = 0; i < 1000 && events.numClients() > 0; i++) {
      events.publish({ ...large })
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(events.numClients()).toBe(0)
    client.socket.resume()
    for (;;) {
      const message = await client.next()
      if (message.includes('client is not pulling messages fast enough')) break
    }
    client.socket.terminate()
  })
})

describe('a budget of bytes', () => {
  /**
   * Publishes events of rising heights to a client that does not read, until the node closes the connection or 400
   * events are published.
   */
  async function overflow(port: number, events: ReturnType<typeof createMemoryEvents>): Promise<Client> {
    const client = await open(port)
    client.call(1, 'subscribe', { query: QUERY })
    await client.next()
    client.socket.pause()
    for (let height = 1; height <= 400 && events.numClients() > 0; height++) {
      const data = { ...EVENT.data, height } as EventItem['data']
      events.publish({ data, events: { 'a.b': ['x'.repeat(200_000)] } })
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(events.numClients()).toBe(0)
    client.socket.resume()
    return client
  }

  test('behavior: above the limit a client receives its last height, and is closed', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ maxClientBytes: 1_000_000 }, { events })
    const client = await overflow(running.port, events)
    const closed = once(client.socket, 'close')
    let last = 0
    for (;;) {
      const message = JSON.parse(await client.next())
      if (message.error === undefined) {
        last = Number(message.result.data.value.height)
        continue
      }
      const reason = `client is not pulling messages fast enough; EVENTS_OVERFLOW: last delivered height ${last}`
      expect(message).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32000, message: 'Server error', data: `subscription was canceled (reason: ${reason})` },
      })
      break
    }
    expect(last).toBeGreaterThan(0)
    expect((await closed)[0]).toBe(1013)
  })

  test("behavior: a strict node sends the reference's error, and keeps the connection open", async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ maxClientBytes: 1_000_000, strict: true }, { events })
    const client = await overflow(running.port, events)
    for (;;) {
      const message = JSON.parse(await client.next())
      if (message.error === undefined) continue
      expect(message.error.data).toBe('subscription was canceled (reason: client is not pulling messages fast enough)')
      break
    }
    client.call(2, 'health')
    expect(JSON.parse(await client.next())).toMatchObject({ id: 2 })
    client.socket.terminate()
  })
})

describe('a silent connection', () => {
  test('behavior: a silent connection gets a ping, and is closed without an answer', async () => {
    const clock = createVirtualClock()
    const rpc = createRpc({
      ports: createDumpPorts('kvstore-single', { indexing: true }),
      options: { laddr: 'tcp://127.0.0.1:0' },
      clock,
    })
    const listener = await rpc.listen()
    const port = Number(/\d+$/.exec(listener.addresses[0] ?? '')?.[0])
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'GET /websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    )
    await once(socket, 'data')
    const ping = once(socket, 'data')
    clock.advance(27_001)
    expect((await ping)[0][0]).toBe(0x89)
    clock.advance(27_001)
    await once(socket, 'close')
    const stopped = listener.stop()
    clock.advance(10_000)
    await stopped
  })
})

describe('served by @hono/node-server', () => {
  test('default: the same answers', async () => {
    const rpc = createRpc({
      ports: createDumpPorts('kvstore-single', { indexing: true }),
      options: { operations: ['block', 'health'], cacheHeaders: false },
    })
    const served = await serveApp(rpc, { port: 0, hostname: '127.0.0.1' })
    const block = await fetch(`http://127.0.0.1:${served.port}/block?height=2`)
    expect(block.headers.get('cache-control')).toBeNull()
    expect(await block.text()).toContain('"height":"2"')
    expect((await fetch(`http://127.0.0.1:${served.port}/status`)).status).toBe(404)
    const client = await open(served.port)
    client.call(1, 'health')
    expect(await client.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    client.socket.terminate()
    await served.stop()
  })
})

describe('mounted elsewhere', () => {
  test('default: in a hono app on another server, with WebSockets', async () => {
    const rpc = createRpc({ ports: createDumpPorts('kvstore-single', { indexing: true }) })
    const app = new Hono()
    app.get('/', (context) => context.text('mine'))
    app.mount('/rpc', rpc.app.fetch)
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    server.on('upgrade', rpc.upgrade)
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const base = `http://127.0.0.1:${port}`
    expect(await (await fetch(base)).text()).toBe('mine')
    const header = await fetch(`${base}/rpc/header?height=1`)
    expect(header.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(header.headers.get('x-server-time')).toMatch(/^\d+$/)
    expect(await header.text()).toContain('"height":"1"')
    const call = await fetch(`${base}/rpc`, { method: 'POST', body: '{"id":1,"method":"health"}' })
    expect(await call.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const client = await open(port)
    client.call(1, 'health')
    expect(await client.next()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    client.socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
})
