import type { VerifiedClient } from '@org/light/verified'
import { createRelayServer, DEFAULT_RPC_OPTIONS } from '@org/rpc/server'
import { createSystemClock } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createVerifiedEvents } from '../src/light/verified-events.ts'

type Source = Pick<VerifiedClient, 'subscribe' | 'close'>
type VerifiedEvent = ReturnType<VerifiedClient['subscribe']> extends AsyncIterable<infer E> ? E : never

const QUERY = "tm.event='Tx'"
/** A transaction in base64. The buffers of the operating system hold about a hundred of these transactions. */
const TX = Buffer.alloc(50_000, 7).toString('base64')

const txEvent = (height: number): VerifiedEvent =>
  ({
    query: QUERY,
    data: {
      type: 'tendermint/event/Tx',
      value: { TxResult: { height: String(height), index: 0, tx: TX, result: {} } },
    },
    events: { 'tm.event': ['Tx'], 'tx.height': [String(height)] },
  }) as unknown as VerifiedEvent

/**
 * Makes a subscription for the proxy, in place of a real subscription at the primary. `send` resolves when the proxy
 * has accepted the event.
 */
function makeSource() {
  const waiting: { readonly event: VerifiedEvent; readonly taken: () => void }[] = []
  let wake = Promise.withResolvers<void>()
  let isClosed = false
  async function* events(signal: AbortSignal | undefined): AsyncGenerator<VerifiedEvent> {
    signal?.addEventListener('abort', () => wake.resolve())
    while (signal?.aborted !== true) {
      const next = waiting.shift()
      if (next === undefined) {
        await wake.promise
        wake = Promise.withResolvers()
        continue
      }
      yield next.event
      next.taken()
    }
  }
  const open = (): Source => ({
    subscribe: ((_query: string, { signal }: { signal?: AbortSignal } = {}) => events(signal)) as Source['subscribe'],
    close: () => {
      isClosed = true
    },
  })
  const send = (event: VerifiedEvent): Promise<void> =>
    new Promise((taken) => {
      waiting.push({ event, taken })
      wake.resolve()
    })
  return { open, send, isClosed: () => isClosed }
}

async function startProxy(open: () => Source) {
  const events = createVerifiedEvents({ open })
  const server = createRelayServer({
    relay: { call: async () => null, events },
    options: { ...DEFAULT_RPC_OPTIONS, laddr: 'tcp://127.0.0.1:0', grpcLaddr: '' },
    clock: createSystemClock(),
  })
  const listener = await server.listen()
  onTestFinished(listener.stop)
  const url = `${listener.addresses[0]?.replace(/^tcp/, 'ws')}/websocket`
  return { events, url, held: server.memory.held }
}

interface Message {
  readonly id: number
  readonly error?: { readonly data?: string }
  readonly result?: { readonly data?: { readonly value: { readonly TxResult: { readonly height: string } } } }
}

/** Connects a client to the proxy, and subscribes the client to the events of `QUERY`. */
async function subscribe(url: string) {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  onTestFinished(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Message))
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: QUERY } }))
  await expect.poll(() => messages.length).toBe(1)
  const heights = (): readonly string[] => messages.flatMap(({ result }) => result?.data?.value.TxResult.height ?? [])
  return { socket, messages, heights }
}

test('behavior: a client that does not read loses its subscription, and the others receive every event', async () => {
  const source = makeSource()
  const { events, url, held } = await startProxy(source.open)
  const [slow, reader] = [await subscribe(url), await subscribe(url)]
  expect(events.numClients()).toBe(2)
  slow.socket.pause()
  let sent = 0
  while (events.numClients() === 2 && sent < 3000) {
    await source.send(txEvent(++sent))
    // The client `reader` reads its events, so its subscription does not end, even if the events come fast.
    await expect.poll(() => reader.heights().length, { interval: 1 }).toBe(sent)
  }
  expect(events.numClients()).toBe(1)
  // The bytes that wait for the slow client are bounded.
  expect(held().unreadBytes).toBeLessThan(64 << 20)
  await source.send(txEvent(++sent))
  await expect.poll(() => reader.heights().length).toBe(sent)
  expect(reader.heights()).toEqual(Array.from({ length: sent }, (_, i) => String(i + 1)))
  slow.socket.resume()
  await expect
    .poll(() => slow.messages.at(-1)?.error?.data)
    .toMatch(/client is not pulling messages fast enough|EVENTS_OVERFLOW/)
  // The events that the slow client received have no gap.
  expect(slow.heights()).toEqual(Array.from({ length: slow.heights().length }, (_, i) => String(i + 1)))
  expect(source.isClosed()).toBe(false)
  reader.socket.close()
  await expect.poll(source.isClosed).toBe(true)
  expect(events.numClients()).toBe(0)
})

test('behavior: when the only client does not read, its subscription and the subscription at the node end', async () => {
  const source = makeSource()
  const { events, url } = await startProxy(source.open)
  const slow = await subscribe(url)
  slow.socket.pause()
  for (let sent = 1; events.numClients() === 1 && sent <= 3000; sent++) void source.send(txEvent(sent))
  await expect.poll(events.numClients, { timeout: 30_000 }).toBe(0)
  await expect.poll(source.isClosed).toBe(true)
})
