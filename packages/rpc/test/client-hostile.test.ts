import { describe, expect, test } from 'vitest'
import {
  createHttpTransport,
  createRpcClient,
  createWebSocketTransport,
  isRpcFailure,
  RPC_CLIENT_ERRORS,
  type RpcClient,
} from '../src/client/index.ts'
import type { WebSocketLike } from '../src/client/websocket-calls.ts'
import type { WebSocketTransportOptions } from '../src/client/websocket-transport.ts'

/** JSON with more levels of nesting than `JSON.stringify` can write. */
const deep = (): unknown => JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)

const answering = (body: unknown): RpcClient =>
  createRpcClient(createHttpTransport('http://node', { fetch: async () => ({ status: 200, json: async () => body }) }))

/**
 * Returns the code of the error with which a call rejects. Throws if the call succeeds, or if the error is not an error
 * of the client.
 */
async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  )
  if (!isRpcFailure(error)) throw error
  return error.code
}

describe('a node that answers with any JSON over HTTP', () => {
  test.each([null, 7, 'text', true, [], [null], ['text'], [[7]], {}, [{}]])(
    'error: %j is no answer, to one call or to several',
    async (body) => {
      const client = answering(body)
      // If a reply has no result, the client uses an empty object as the result. This object lacks required members, so
      // the error may also have the code for a wrong shape.
      const codes = [RPC_CLIENT_ERRORS.transport, RPC_CLIENT_ERRORS.shape]
      expect(codes).toContain(await codeOf(client.block()))
      const several = client.batch((methods) => [methods.block(), methods.status()])
      expect(await codeOf(several)).toBe(RPC_CLIENT_ERRORS.transport)
    },
  )

  test('error: an answer without an end is read only up to the limit', async () => {
    const chunk = new TextEncoder().encode('['.repeat(1000))
    let sent = 0
    let isCancelled = false
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        sent += chunk.length
        if (sent > 1_000_000) controller.close()
        else controller.enqueue(chunk)
      },
      cancel: () => {
        isCancelled = true
      },
    })
    const transport = createHttpTransport('http://node', {
      fetch: async () => new Response(stream),
      maxAnswerBytes: 10_000,
    })
    const call = createRpcClient(transport).status()
    await expect(call).rejects.toMatchObject({ code: RPC_CLIENT_ERRORS.transport })
    await expect(call).rejects.toThrow('has more than 10000 bytes')
    expect(isCancelled).toBe(true)
    expect(sent).toBeLessThan(20_000)
  })

  test('behavior: an answer whose bytes arrive one by one is read', async () => {
    const bytes = Array.from(new TextEncoder().encode('{"id":1,"result":{}}'), (byte) => new Uint8Array([byte]))
    const transport = createHttpTransport('http://node', {
      fetch: async () => new Response(ReadableStream.from(bytes)),
    })
    expect(await transport.send([{ method: 'health', params: {} }])).toEqual([{ result: {} }])
  })

  test.each([
    ['an object that cannot become a text', { data: { toString: 1 }, message: { toString: 1 }, code: {} }],
    ['a list', [1, 2]],
    ['many levels', { message: deep(), data: deep(), code: deep() }],
    ['a number', 7],
    ['nothing', null],
  ])('error: an error whose members are %s is a refusal', async (_name, error) => {
    const call = answering({ id: 1, error }).block()
    expect(await codeOf(call)).toBe(RPC_CLIENT_ERRORS.refused)
    await call.catch(({ data }) =>
      expect(data).toEqual({ method: 'block', rpcCode: expect.any(Number), detail: expect.any(String) }),
    )
  })
})

test('error: the explanation of a refusal is JSON if it was an object', async () => {
  const error = { code: -32603, message: 'Internal error', data: { reason: 'full' } }
  await expect(answering({ id: 1, error }).block()).rejects.toThrow('Internal error: {"reason":"full"}')
})

test('error: a result of another form says which part is wrong', async () => {
  await expect(answering({ id: 1, result: 7 }).block()).rejects.toThrow(
    'the answer to block has an unexpected form: result: expected an object',
  )
  await expect(answering({ id: 1, result: { block_id: { parts: 7 } } }).block()).rejects.toThrow(
    'the answer to block has an unexpected form: result.block_id.parts: expected an object',
  )
})

/** A WebSocket to a node that accepts a subscription. `send` sends a message of the subscription. */
function subscribed(options: Omit<WebSocketTransportOptions, 'connect'> = {}) {
  let id: unknown
  let isAccepted = Promise.withResolvers<void>()
  const receive = (message: unknown): void =>
    (socket.onmessage as unknown as (event: { data: string }) => void)({ data: JSON.stringify(message) })
  const socket: WebSocketLike = {
    send: (text) => {
      const call = JSON.parse(text) as { id: unknown; method: string }
      if (call.method === 'subscribe') id = call.id
      receive({ id: call.id, result: {} })
      isAccepted.resolve()
    },
    close: () => undefined,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  }
  const connect = (): WebSocketLike => {
    queueMicrotask(() => (socket.onopen as unknown as () => void)())
    return socket
  }
  const client = createRpcClient(createWebSocketTransport('ws://node', { ...options, connect }))
  const events = client.subscribe("tm.event='Tx'")[Symbol.asyncIterator]()
  const first = events.next()
  first.catch(() => undefined)
  const send = async (...results: readonly unknown[]): Promise<void> => {
    await isAccepted.promise
    isAccepted = Promise.withResolvers()
    isAccepted.resolve()
    for (const result of results) receive({ id, result })
  }
  return { events, first, send }
}

const event = (text = '') => ({ query: '', data: { type: 'tendermint/event/Tx', value: { text } }, events: {} })

describe('a node that sends any JSON as an event', () => {
  test.each([
    [null],
    [7],
    ['text'],
    [[]],
    [{}],
    [{ ...event(), data: null }],
    [{ ...event(), data: { type: 7 } }],
    [{ ...event(), query: null }],
    [{ ...event(), events: [] }],
    [{ ...event(), events: { 'tm.event': 'Tx' } }],
    [{ ...event(), events: { 'tm.event': [7] } }],
  ])('error: %j ends the subscription', async (sent) => {
    const { first, send } = subscribed()
    await send(sent)
    expect(await codeOf(first)).toBe(RPC_CLIENT_ERRORS.shape)
  })

  test('default: an event without attributes has none', async () => {
    const { first, send } = subscribed()
    await send({ ...event(), events: null })
    expect(await first).toMatchObject({ value: { events: {} } })
  })
})

describe('events that wait for their consumer', () => {
  test('error: have a limit of characters, and no event is given after an event that was dropped', async () => {
    const { events, first, send } = subscribed({ capacityChars: 1000 })
    await send(event('first'))
    expect(await first).toMatchObject({ value: event('first') })
    const long = 'x'.repeat(500)
    await send(event(long), event(long), event('late'))
    expect(await events.next()).toMatchObject({ value: event(long) })
    await send(event('later'))
    expect(await codeOf(events.next())).toBe(RPC_CLIENT_ERRORS.overflow)
  })

  test('default: an event that waits alone may be longer than the limit', async () => {
    const { events, first, send } = subscribed({ capacityChars: 1000 })
    await send(event('first'))
    await first
    const long = 'x'.repeat(2000)
    await send(event(long))
    expect(await events.next()).toMatchObject({ value: event(long) })
    // An event that the consumer has taken does not count towards the limit any more.
    await send(event('a'), event('b'))
    expect([await events.next(), await events.next()]).toMatchObject([{ value: event('a') }, { value: event('b') }])
  })

  test('error: have a limit of their number', async () => {
    const { events, first, send } = subscribed({ capacity: 2 })
    await send(event('first'))
    await first
    await send(event('a'), event('b'), event('c'))
    await events.next()
    await events.next()
    expect(await codeOf(events.next())).toBe(RPC_CLIENT_ERRORS.overflow)
  })
})
