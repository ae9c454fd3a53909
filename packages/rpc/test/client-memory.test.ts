import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextTurn } from '@org/runtime'
import { ExecTxResult } from '@org/types/abci'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AppQuery, Mempool } from '../src/index.ts'
import { createDumpPorts } from './dump-ports.ts'
import { madeBlock } from './made-blocks.ts'
import { createMemoryEvents } from './memory-events.ts'
import { startRpc } from './start-rpc.ts'

const MEGABYTE = 1 << 20

/** Opens a connection that collects all text that it receives. */
function open(port: number): { readonly socket: Socket; readonly text: () => string } {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  onTestFinished(() => void socket.destroy())
  return { socket, text: () => text }
}

const half = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n${' '.repeat(60_000)}`

describe('requests that clients do not finish', () => {
  test('error: unfinished requests of all clients have one bound; requests above it get an error, and the others are answered', async () => {
    await using running = await startRpc({ maxRequestsBytes: MEGABYTE })
    const { memory } = running.rpc
    const clients = []
    let most = 0
    for (let i = 0; i < 60; i++) {
      const client = open(running.port)
      clients.push(client)
      const before = memory.held().requestBytes
      client.socket.write(half)
      await expect.poll(() => memory.held().requestBytes !== before || client.text() !== '').toBe(true)
      most = Math.max(most, memory.held().requestBytes)
    }
    expect(most).toBeGreaterThan(MEGABYTE / 2)
    // The node compares the held bytes with the limit each time the held bytes have grown by one sixteenth of the
    // limit. So the held bytes may exceed the limit by one sixteenth, and by one piece of received data.
    expect(most).toBeLessThan(MEGABYTE * (1 + 1 / 16) + 256 * 1024)
    const refused = clients.filter(({ text }) => text() !== '')
    expect(refused.length).toBeGreaterThan(0)
    for (const { text } of refused)
      expect(text()).toMatch(/^HTTP\/1.1 503 [\s\S]*"code":-32000[\s\S]*RPC_MEMORY: the requests/)
    const served = clients.find(({ text }) => text() === '')
    served?.socket.write(`${' '.repeat(40_000 - 46)}{"jsonrpc":"2.0","id":1,"method":"health"}    `)
    await expect.poll(() => served?.text()).toContain('"result":{}')
  })

  test('error: the parts of WebSocket messages count too', async () => {
    await using running = await startRpc({ maxRequestsBytes: MEGABYTE })
    const { memory } = running.rpc
    const received: string[] = []
    for (let i = 0; i < 40; i++) {
      const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
      socket.on('error', () => undefined)
      socket.on('message', (data) => received.push(String(data)))
      onTestFinished(() => socket.terminate())
      await once(socket, 'open')
      const before = memory.held().requestBytes
      socket.send('x'.repeat(60_000), { fin: false })
      await expect.poll(() => memory.held().requestBytes !== before || received.length > 0).toBe(true)
    }
    await expect.poll(() => received.length).toBeGreaterThan(0)
    for (const text of received) expect(text).toContain('RPC_MEMORY')
    await expect.poll(() => memory.held().requestBytes, { timeout: 5000 }).toBeLessThan(MEGABYTE * (1 + 1 / 16))
  })
})

test('limit: a WebSocket does not keep the body of the request that opened it', async () => {
  await using running = await startRpc()
  const before = await arrayBuffers()
  for (let i = 0; i < 20; i++) {
    const client = open(running.port)
    client.socket.write(
      `GET /websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\nContent-Length: 900000\r\n\r\n${' '.repeat(900_000)}`,
    )
    await expect.poll(client.text).toContain('101 Switching Protocols')
  }
  await expect.poll(async () => (await arrayBuffers()) - before).toBeLessThan(2 * MEGABYTE)
})

/** Collects garbage. Returns the bytes of all buffers that are still in memory. */
async function arrayBuffers(): Promise<number> {
  setFlagsFromString('--expose-gc')
  await nextTurn()
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().arrayBuffers
}

describe('the ids of subscriptions', () => {
  const subscribe = (id: string, query: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { query } })

  async function connected(port: number): Promise<{ readonly socket: WebSocket; readonly received: string[] }> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
    onTestFinished(() => socket.terminate())
    const received: string[] = []
    socket.on('message', (data) => received.push(String(data)))
    await once(socket, 'open')
    return { socket, received }
  }

  test('behavior: an id counts as long as its subscription lasts', async () => {
    await using running = await startRpc({}, { events: createMemoryEvents() })
    const { memory } = running.rpc
    const { socket, received } = await connected(running.port)
    for (const type of ['Tx', 'NewBlock']) socket.send(subscribe('x'.repeat(100_000), `tm.event='${type}'`))
    await expect.poll(() => received.length).toBe(2)
    const both = memory.held().requestBytes
    expect(both).toBeGreaterThan(400_000)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'unsubscribe', params: { query: "tm.event='Tx'" } }))
    await expect.poll(() => received.length).toBe(3)
    expect(memory.held().requestBytes).toBeGreaterThan(0)
    expect(memory.held().requestBytes).toBeLessThan(both)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'unsubscribe_all', params: {} }))
    await expect.poll(() => received.length).toBe(4)
    expect(memory.held().requestBytes).toBe(0)
  })

  test('error: long ids of many subscriptions are above the bound of all clients', async () => {
    await using running = await startRpc({ maxRequestsBytes: MEGABYTE }, { events: createMemoryEvents() })
    const { memory } = running.rpc
    const clients = await Promise.all(Array.from({ length: 8 }, () => connected(running.port)))
    const isRefused = (): boolean => clients.some(({ received }) => received.join().includes('RPC_MEMORY'))
    for (const type of ['Tx', 'NewBlock', 'Vote', 'NewRound', 'Lock']) {
      for (const { socket, received } of clients) {
        const before = received.length
        socket.send(subscribe('x'.repeat(60_000), `tm.event='${type}'`))
        // The next client sends its request after this client has its answer. So the node holds one request at a time.
        // Only the stored ids of the subscriptions can exceed the limit.
        await expect.poll(() => received.length > before || isRefused()).toBe(true)
      }
    }
    await expect.poll(isRefused).toBe(true)
    await expect.poll(() => memory.held().requestBytes).toBeLessThan(MEGABYTE * 1.5)
  })
})

/** Collects garbage. Returns the bytes of the heap that are in use. */
async function heapUsed(): Promise<number> {
  await arrayBuffers()
  return process.memoryUsage().heapUsed
}

describe('long requests leave the memory when they are answered', () => {
  const COUNT = 200
  /** The padding in the head of a request. A head may have at most 64 KiB. */
  const HEAD = 'x'.repeat(60_000)
  /** The maximum memory of one connection, in bytes. The client of the connection also runs in this process. */
  const CONNECTION = 25_000

  test('behavior: a WebSocket does not keep the head of the request that opened it', async () => {
    await using running = await startRpc()
    const before = await heapUsed()
    for (let i = 0; i < COUNT; i++) {
      const client = open(running.port)
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
      const page = `Origin: http://127.0.0.1:${running.port}\r\nUser-Agent: a browser of today\r\n`
      client.socket.write(
        `GET /websocket HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\n${upgrade}${page}Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\nX: ${HEAD}\r\n\r\n`,
      )
      await expect.poll(client.text).toContain('101 Switching Protocols')
    }
    await expect.poll(async () => (await heapUsed()) - before).toBeLessThan(COUNT * CONNECTION)
  })

  test('behavior: a subscription does not keep the message that opened it', async () => {
    await using running = await startRpc({}, { events: createMemoryEvents() })
    const before = await heapUsed()
    for (let i = 0; i < 20; i++) {
      const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
      onTestFinished(() => socket.terminate())
      await once(socket, 'open')
      const params = `{"query":"tm.event='NewBlock'"}`
      const padding = 'x'.repeat(900_000)
      socket.send(`{"jsonrpc":"2.0","id":123456789012345,"method":"subscribe","params":${params},"x":"${padding}"}`)
      await once(socket, 'message')
    }
    await expect.poll(async () => (await heapUsed()) - before).toBeLessThan(4 * MEGABYTE)
  })

  test('behavior: a stream of events does not keep the head of its request', async () => {
    await using running = await startRpc({ maxSubscriptionClients: COUNT }, { events: createMemoryEvents() })
    const before = await heapUsed()
    for (let i = 0; i < COUNT; i++) {
      const client = open(running.port)
      const head = `Host: localhost\r\nAccept: text/event-stream\r\nX: ${HEAD}\r\n\r\n`
      client.socket.write(`GET /events?query=tm.event='NewBlock' HTTP/1.1\r\n${head}`)
      await expect.poll(client.text).toContain('retry: 1000')
    }
    await expect.poll(async () => (await heapUsed()) - before).toBeLessThan(COUNT * CONNECTION)
  })
})

describe('stored events stay in memory without the texts that clients choose', () => {
  test('behavior: streams with different queries share the JSON of an event', async () => {
    const events = createMemoryEvents()
    const txResult = { height: 1, index: 0, tx: new Uint8Array(MEGABYTE), result: ExecTxResult.create({}) }
    events.publishBlock([{ data: { type: 'Tx', txResult }, events: { 'tm.event': ['Tx'] } }])
    await using running = await startRpc({}, { events })
    const before = await arrayBuffers()
    for (let i = 0; i < 20; i++) {
      const client = open(running.port)
      const query = encodeURIComponent(`tm.event='Tx'${' '.repeat(i)}`)
      const head = 'Host: localhost\r\nAccept: text/event-stream\r\n\r\n'
      client.socket.write(`GET /events?query=${query}&after=0 HTTP/1.1\r\n${head}`)
      await expect.poll(() => client.text().length).toBeGreaterThan(MEGABYTE)
      client.socket.destroy()
    }
    await expect.poll(async () => (await arrayBuffers()) - before).toBeLessThan(4 * MEGABYTE)
  })

  test('behavior: a resumed subscription with a long id leaves no frames', async () => {
    const events = createMemoryEvents()
    events.publishBlock(madeBlock(1, 20))
    await using running = await startRpc({}, { events })
    const before = await arrayBuffers()
    for (let i = 0; i < 10; i++) {
      const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
      onTestFinished(() => socket.terminate())
      let messages = 0
      socket.on('message', () => void messages++)
      await once(socket, 'open')
      const params = { query: "tm.event='Tx'", after_height: '0' }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: `${i}`.repeat(100_000), method: 'subscribe', params }))
      await expect.poll(() => messages).toBe(21)
      socket.terminate()
    }
    await expect.poll(async () => (await arrayBuffers()) - before).toBeLessThan(4 * MEGABYTE)
  })
})

/** Returns a frame of a client. Its mask is zero, so the payload is sent as it is. */
function frame(opcode: number, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

describe('the memory of an incomplete WebSocket message', () => {
  const PONG = frame(0x8a, new Uint8Array(125))
  const UPGRADE =
    'GET /websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

  async function openRaw(port: number): Promise<ReturnType<typeof open>> {
    const client = open(port)
    client.socket.write(UPGRADE)
    await expect.poll(client.text).toContain('101 Switching')
    return client
  }

  const write = (socket: Socket, bytes: Uint8Array): Promise<void> =>
    new Promise((resolve) => void socket.write(bytes, () => resolve()))

  test('error: control frames count while a message is unfinished, because its parts keep the received buffers in memory', async () => {
    await using running = await startRpc({ maxRequestsBytes: MEGABYTE })
    const { socket, text } = await openRaw(running.port)
    await write(socket, frame(0x01, Buffer.from('x')))
    const pongs = Buffer.concat([...Array.from({ length: 500 }, () => PONG), frame(0x00, Buffer.from('x'))])
    for (let sent = 0; sent < 4 * MEGABYTE && !socket.destroyed; sent += pongs.length) await write(socket, pongs)
    await expect.poll(text).toContain('RPC_MEMORY')
  })

  test('error: a message whose bytes arrive one by one counts with the memory of its buffers', async () => {
    await using running = await startRpc({ maxRequestsBytes: MEGABYTE / 4 })
    const { socket, text } = await openRaw(running.port)
    socket.setNoDelay(true)
    await write(socket, Buffer.from([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0]))
    for (let sent = 0; sent < 60_000 && !text().includes('RPC_MEMORY'); sent++) {
      await write(socket, Buffer.from(' '))
      await new Promise((resolve) => void setImmediate(resolve))
    }
    expect(text()).toContain('RPC_MEMORY')
  })

  test('behavior: a complete message ends the count', async () => {
    await using running = await startRpc({ maxRequestsBytes: MEGABYTE })
    const { socket, text } = await openRaw(running.port)
    const call = frame(0x81, Buffer.from('{"jsonrpc":"2.0","id":1,"method":"health"}'))
    const pongs = Buffer.concat([...Array.from({ length: 500 }, () => PONG), call])
    const rounds = 64
    for (let i = 0; i < rounds; i++) await write(socket, pongs)
    await expect.poll(() => text().split('"result":{}').length - 1).toBe(rounds)
    expect(text()).not.toContain('RPC_MEMORY')
  })
})

describe('answers that clients do not read', () => {
  const TXS = Array.from({ length: 16 }, () => new Uint8Array(MEGABYTE))
  const mempool: Mempool = {
    checkTx: () => Promise.reject(new Error('not asked here')),
    reapMaxTxs: (count) => TXS.slice(0, count),
    size: () => TXS.length,
    sizeBytes: () => TXS.length * MEGABYTE,
    flush: () => undefined,
  }
  /** The number of bytes of the transactions in base64. The rest of the answer has only a few hundred bytes. */
  const ANSWER = (TXS.length * MEGABYTE * 4) / 3

  test('error: unread answers of all clients have one bound; the client with the most is closed, and a client that reads gets all answers', async () => {
    const maxUnreadBytes = 60 * MEGABYTE
    await using running = await startRpc({ maxUnreadBytes }, { mempool })
    const { memory } = running.rpc
    let most = 0
    for (let i = 0; i < 8; i++) {
      const { socket } = open(running.port)
      socket.pause()
      const before = memory.held().unreadBytes
      // The answers have different sizes. So the number of unread bytes changes also if one answer replaces another.
      socket.write(`GET /unconfirmed_txs?limit=${9 + i} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      await expect.poll(() => memory.held().unreadBytes).not.toBe(before)
      most = Math.max(most, memory.held().unreadBytes)
    }
    expect(most).toBeGreaterThan(maxUnreadBytes / 2)
    expect(most).toBeLessThan(maxUnreadBytes + ANSWER + MEGABYTE)
    const answer = await (await fetch(`http://127.0.0.1:${running.port}/unconfirmed_txs?limit=16`)).text()
    expect(answer.length).toBeGreaterThan(ANSWER)
    expect(memory.held().unreadBytes).toBeLessThanOrEqual(maxUnreadBytes)
  })
})

describe('a batch', () => {
  test('error: the answers of a batch have a bound; further calls get an error that advises to send them alone', async () => {
    const txs = Array.from({ length: 4 }, () => new Uint8Array(MEGABYTE))
    const mempool: Mempool = {
      checkTx: () => Promise.reject(new Error('not asked here')),
      reapMaxTxs: () => txs,
      size: () => txs.length,
      sizeBytes: () => txs.length * MEGABYTE,
      flush: () => undefined,
    }
    await using running = await startRpc({ maxUnreadBytes: 40 * MEGABYTE }, { mempool })
    const calls = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'unconfirmed_txs', params: {} }))
    const answer = await fetch(`http://127.0.0.1:${running.port}`, { method: 'POST', body: JSON.stringify(calls) })
    const answers = (await answer.json()) as { id: number; error?: { data: string } }[]
    expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
    // The limit for the answers of a batch is 10 MiB: a quarter of `maxUnreadBytes`. Each answer has 5.3 MiB. Two
    // answers exceed the limit, so the node refuses the further calls of the batch.
    expect(answers.map(({ error }) => error === undefined)).toEqual([
      true,
      true,
      ...Array.from({ length: 8 }, () => false),
    ])
    for (const { error } of answers.slice(2))
      expect(error?.data).toMatch(/^RPC_MEMORY: .*send this call in a request of its own$/)
  })
})

describe('a node that is short of memory', () => {
  test('error: refuses new work with a code, over HTTP and WebSockets, and reports its state', async () => {
    await using running = await startRpc()
    const { memory } = running.rpc
    const url = `http://127.0.0.1:${running.port}`
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    const call = async (method: string): Promise<unknown> => {
      const answered = once(socket, 'message')
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: {} }))
      return JSON.parse(String((await answered)[0]))
    }
    const post = async (method: string): Promise<readonly [number, string]> => {
      const answer = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: {} }),
      })
      return [answer.status, await answer.text()]
    }
    memory.setShort(true)
    const refused = await fetch(`${url}/block?height=2`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({
      error: { code: -32000, data: expect.stringMatching(/^RPC_MEMORY: /) },
    })
    expect(await post('block')).toEqual([503, expect.stringMatching(/"id":7,.*RPC_MEMORY/)])
    expect(await call('block')).toMatchObject({ id: 7, error: { data: expect.stringMatching(/^RPC_MEMORY: /) } })
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    expect(await post('health')).toEqual([200, expect.stringContaining('"result":{}')])
    expect(await call('health')).toMatchObject({ id: 7, result: {} })
    memory.setShort(false)
    expect((await fetch(`${url}/block?height=2`)).status).toBe(200)
    expect(await call('block')).toMatchObject({ id: 7, result: { block: expect.anything() } })
  })

  test('behavior: closes the clients that use the most memory, and empties its cache of answers', async () => {
    await using running = await startRpc()
    const { memory } = running.rpc
    const url = `http://127.0.0.1:${running.port}`
    await (await fetch(`${url}/block?height=2`)).text()
    const [small, large] = [open(running.port), open(running.port)]
    small.socket.write(half)
    await expect.poll(() => memory.held().requestBytes).toBeGreaterThanOrEqual(60_000)
    large.socket.write(half.replace('100000', '900000') + ' '.repeat(300_000))
    await expect.poll(() => memory.held().requestBytes).toBeGreaterThanOrEqual(420_000)
    expect(memory.closeLargest(1)).toBeGreaterThan(300_000)
    await expect.poll(large.text).toContain('RPC_MEMORY: the node is short of memory')
    expect(small.text()).toBe('')
    expect(memory.dropCaches()).toBeGreaterThan(0)
    expect(memory.dropCaches()).toBe(0)
  })
})

test('limit: the answers of a batch count before its last call is answered', async () => {
  const { blocks } = createDumpPorts('kvstore-single', { indexing: true })
  const loadBlock: typeof blocks.loadBlock = (height) => {
    const found = blocks.loadBlock(height)
    return found === undefined ? undefined : { ...found, data: { txs: [new Uint8Array(600_000)] } }
  }
  const { promise: answered, resolve: answer } = Promise.withResolvers<object>()
  const app = { query: () => answered, info: () => answered, checkTx: () => answered } as unknown as AppQuery
  await using running = await startRpc({ maxUnreadBytes: 4 * MEGABYTE }, { blocks: { ...blocks, loadBlock }, app })
  const { memory } = running.rpc
  const call = (id: number, method: string, params: object): object => ({ jsonrpc: '2.0', id, method, params })
  const body = JSON.stringify([call(1, 'block', { height: '2' }), call(2, 'abci_info', {})])
  const batch = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const clients = Array.from({ length: 5 }, () => open(running.port))
  for (const [i, { socket }] of clients.entries()) {
    socket.write(batch)
    await expect.poll(() => memory.held().unreadBytes).toBeGreaterThan((i + 1) * 800_000)
  }
  const last = open(running.port)
  last.socket.write(batch)
  await expect.poll(() => clients.filter(({ text }) => text().includes('RPC_MEMORY')).length).toBe(2)
  answer({})
  await expect.poll(last.text).toContain('"id":2,')
  await expect.poll(() => memory.held().unreadBytes).toBe(0)
})
