import { createServer, type RequestListener as Listener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIGHT_ERRORS, type LightClient } from '@org/light'
import type { VerifiedClient } from '@org/light/verified'
import { createVirtualClock, noopLogger } from '@org/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { BackwardsClient } from '../src/light/backwards-client.ts'
import { LIGHT_PROXY_ERRORS } from '../src/light/errors.ts'
import { createPrimary } from '../src/light/primary.ts'
import { createVerifiedEvents } from '../src/light/verified-events.ts'
import { createVerifiedCalls } from '../src/light/verified-relay.ts'

/** Starts a node that accepts requests and never answers. */
async function silentNode() {
  let asked = 0
  const server = createServer(() => void asked++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked }
}

const clientOf = (url: string): Pick<LightClient, 'providers'> => ({
  providers: () => ({ primary: { name: url } as never, witnesses: [] }),
})

describe('a node that does not answer', () => {
  async function start(answerMs: number, callMs: number) {
    const [node, clock] = [await silentNode(), createVirtualClock()]
    const light = clientOf(node.url) as BackwardsClient
    const primary = createPrimary(answerMs, { light, clock })
    return { node, clock, call: createVerifiedCalls({ callMs }, { light, primary, clock, logger: noopLogger }) }
  }

  test('error: a request ends at the time limit of an answer, and the error names the node', async () => {
    const { node, clock, call } = await start(15_000, 60_000)
    const answer = call('status', {}, new AbortController().signal)
    answer.catch(() => undefined)
    await expect.poll(node.asked).toBe(1)
    clock.advance(15_000)
    await expect(answer).rejects.toThrow(
      `${node.url} did not answer within 15 s: try again [${LIGHT_ERRORS.noResponse}]`,
    )
    expect(clock.pending()).toBe(0)
  })

  test('error: a call ends at its own time limit, and the error says what to do', async () => {
    const { node, clock, call } = await start(60_000, 5000)
    const answer = call('status', {}, new AbortController().signal)
    answer.catch(() => undefined)
    await expect.poll(node.asked).toBe(1)
    clock.advance(5000)
    await expect(answer).rejects.toThrow(/^status was not verified within 5 s: try again.*\[LIGHT_TOO_LATE\]$/)
    expect(clock.pending()).toBe(0)
  })

  test('behavior: at most 16 requests are in progress, and a caller that aborts makes room for another one', async () => {
    const { node, call } = await start(60_000, 60_000)
    const callers = Array.from({ length: 20 }, () => new AbortController())
    const answers = callers.map(({ signal }) => call('status', {}, signal))
    for (const answer of answers) answer.catch(() => undefined)
    await expect.poll(node.asked).toBe(16)
    for (const caller of callers.slice(0, 4)) caller.abort('gone')
    await expect.poll(node.asked).toBe(20)
    await expect(answers[0]).rejects.toBe('gone')
    for (const caller of callers) caller.abort('gone')
  })
})

describe('an answer of the primary that cannot be used', () => {
  const answering =
    (text: string): Listener =>
    (_request, response) =>
      void response.end(text)
  const resultIs = (json: string): Listener => answering(`{"jsonrpc":"2.0","id":1,"result":${json}}`)
  const endless: Listener = (_request, response) => {
    const write = (): void => void response.write('a'.repeat(1 << 20), (error) => error ?? write())
    write()
  }
  const redirecting: Listener = (_request, response) =>
    void response.writeHead(307, { location: 'http://127.0.0.1:1' }).end()
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)

  test.each<readonly [string, string, Listener, RegExp]>([
    ['is endless', 'status', endless, /status is wrong: .* 33554432 bytes\. Ask another.*\[LIGHT_WRONG_ANSWER\]$/],
    [
      'names another address',
      'status',
      redirecting,
      /redirects to "http.*if you trust that address, use it.*\[LIGHT_NO_RESPONSE\]$/,
    ],
    ['is no JSON', 'status', answering('oops'), /is not JSON .*\[RPC_CLIENT_TRANSPORT\]$/],
    ['is a text', 'status', answering('"x"'), /did not answer status \[RPC_CLIENT_TRANSPORT\]$/],
    ['has no block', 'block', resultIs('null'), /block has an unexpected form.*\[RPC_CLIENT_SHAPE\]$/],
    [
      'is an error of many levels',
      'status',
      answering(`{"error":{"data":${deep}}}`),
      /^the node refused the call without/,
    ],
    ['is an error of many levels', 'block', answering(`{"error":${deep}}`), /^the node refused the call without/],
    ['has no list of headers', 'blockchain', resultIs('{"block_metas":"x"}'), /no list.*\[LIGHT_WRONG_ANSWER\]$/],
    ['has no header', 'blockchain', resultIs('{"block_metas":[null]}'), /blockchain is wrong.*\[LIGHT_WRONG_ANSWER\]$/],
    [
      'has the height 0',
      'blockchain',
      resultIs('{"block_metas":[{"header":{"height":"0"}}]}'),
      /\[LIGHT_WRONG_ANSWER\]$/,
    ],
  ])('error: %s (%s)', async (_name, method, listener, text) => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const light = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) as BackwardsClient
    const clock = createVirtualClock()
    const primary = createPrimary(15_000, { light, clock })
    const call = createVerifiedCalls({ callMs: 60_000 }, { light, primary, clock, logger: noopLogger })
    await expect(call(method, {}, new AbortController().signal)).rejects.toThrow(text)
  })
})

/**
 * Creates the subscriptions of the light proxy. A substitute for the primary sends no events, and its subscriptions end
 * when the test ends them.
 */
function controlledEvents() {
  const opened: { readonly query: string; readonly end: (error?: Error) => void; isClosed: boolean }[] = []
  const open = (): Pick<VerifiedClient, 'subscribe' | 'close'> => {
    let own: (typeof opened)[number] | undefined
    return {
      subscribe: (query: string, { signal }: { readonly signal?: AbortSignal } = {}) => {
        const ended = Promise.withResolvers<void>()
        signal?.addEventListener('abort', () => ended.resolve())
        own = { query, isClosed: false, end: (error) => (error === undefined ? ended.resolve() : ended.reject(error)) }
        opened.push(own)
        const next = async () => {
          await ended.promise
          return { done: true, value: undefined }
        }
        return { [Symbol.asyncIterator]: () => ({ next }) } as never
      },
      close: () => {
        if (own !== undefined) own.isClosed = true
      },
    }
  }
  return { opened, events: createVerifiedEvents({ open }) }
}

const subscriberOf = (subscriber: string, query: string) => {
  const seen = { cancelled: [] as string[], ended: 0 }
  const options = {
    ...{ subscriber, query, capacity: 100, onItem: () => undefined },
    onCancelled: (reason: string) => void seen.cancelled.push(reason),
    onEnded: () => void seen.ended++,
  }
  return { seen, options }
}

describe('subscriptions', () => {
  test('error: a query above the limit is refused, and is accepted when another query ends', () => {
    const { events } = controlledEvents()
    const queryOf = (i: number): string => `tm.event='Tx' AND a.b='${i}'`
    for (let i = 0; i < 50; i++) events.subscribe(subscriberOf('client', queryOf(i)).options)
    const { options } = subscriberOf('client', queryOf(50))
    expect(() => events.subscribe(options)).toThrow(
      expect.objectContaining({ code: LIGHT_PROXY_ERRORS.full, message: expect.stringContaining('another proxy') }),
    )
    // The proxy now follows 50 queries, which is the maximum. A second client may still subscribe to one of these
    // queries, even if it writes the query with other spaces.
    events.subscribe(subscriberOf('other', `tm.event = 'Tx' AND a.b = '7'`).options)
    events.unsubscribe('client', queryOf(0))
    events.subscribe(options)
    expect(events.numClients()).toBe(2)
    events.stop('over')
    expect(events.numClients()).toBe(0)
  })

  test.each([
    ['is closed', undefined, 'the primary ended the subscription'],
    ['is cut', new Error('the connection is lost'), 'the connection is lost'],
  ])('behavior: when the WebSocket to the node %s, all subscribers receive the reason', async (_, error, reason) => {
    const { opened, events } = controlledEvents()
    const clients = ['one', 'two'].map((name) => subscriberOf(name, "tm.event='NewBlock'"))
    for (const { options } of clients) events.subscribe(options)
    expect(opened).toHaveLength(1)
    opened[0]?.end(error)
    await expect.poll(() => opened[0]?.isClosed).toBe(true)
    expect(clients.map(({ seen }) => seen)).toEqual(Array(2).fill({ cancelled: [reason], ended: 1 }))
    // The connection of the ended subscription is closed, so a new subscription opens a new connection.
    events.subscribe(subscriberOf('one', "tm.event='NewBlock'").options)
    expect(opened).toHaveLength(2)
    events.stop('over')
  })

  test('behavior: the connection to the node ends with its last client', async () => {
    const { opened, events } = controlledEvents()
    for (const name of ['one', 'two']) events.subscribe(subscriberOf(name, "tm.event='Tx'").options)
    events.unsubscribeAll('one')
    expect(opened[0]?.isClosed).toBe(false)
    events.unsubscribeAll('two')
    await expect.poll(() => opened[0]?.isClosed).toBe(true)
  })
})
