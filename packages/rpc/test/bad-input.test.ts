import { once } from 'node:events'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ROUTES } from '../src/index.ts'
import { createMemoryEvents } from './memory-events.ts'
import { sendRaw } from './raw.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

let running: RunningRpc
beforeAll(async () => {
  running = await startRpc({ unsafe: true })
})
afterAll(() => running.listener.stop())

async function post(body: string | Uint8Array): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`http://127.0.0.1:${running.port}/`, { method: 'POST', body: body as string })
  return { status: answer.status, text: await answer.text() }
}

const isAlive = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${running.port}/health`)).ok

describe('bodies', () => {
  test.each([
    ['arrays 100,000 deep', '['.repeat(100_000), 'exceeded max depth'],
    ['objects 100,000 deep', `{"id":1,"params":${'{"a":'.repeat(100_000)}`, 'exceeded max depth'],
    ['NaN', '{"id":NaN,"method":"health"}', "invalid character 'N' looking for beginning of value"],
    ['Infinity', '{"id":Infinity,"method":"health"}', "invalid character 'I' looking for beginning of value"],
    ['an id of 900,000 digits', `{"id":${'9'.repeat(900_000)},"method":"health"}`, 'cannot unmarshal number 999'],
    ['bytes that are no UTF-8', '\u0000\u00ff', 'invalid character'],
  ])('error: %s', async (_name, body, message) => {
    const { status, text } = await post(body)
    expect(status).toBe(500)
    expect(text).toContain('"code":-32700')
    expect(text).toContain(message)
  })

  test('error: refuses a height of 900,000 digits', async () => {
    const { text } = await post(`{"id":1,"method":"block","params":{"height":"${'9'.repeat(900_000)}"}}`)
    expect(text).toContain('"code":-32602')
    expect(await isAlive()).toBe(true)
  })

  test('error: refuses params with a depth of 9,000', async () => {
    const deep = '['.repeat(9000) + ']'.repeat(9000)
    expect((await post(`{"id":1,"method":"block","params":{"height":${deep}}}`)).text).toContain('"code":-32602')
    expect((await post(`{"id":1,"method":"broadcast_evidence","params":{"evidence":${deep}}}`)).text).toContain(
      '-32602',
    )
    expect((await post(`{"id":${deep},"method":"health"}`)).text).toContain('"code":-32700')
  })

  test('error: refuses a batch of 10,000 requests', async () => {
    const { text } = await post(`[${Array.from({ length: 10_000 }, () => '{"id":1,"method":"health"}').join(',')}]`)
    expect(text).toContain('batch request exceeds maximum (10)')
  })

  test('behavior: names of the object prototype are neither operations nor parameters', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await post(`{"id":1,"method":"${name}"}`)).text).toContain('"code":-32601')
      expect((await fetch(`http://127.0.0.1:${running.port}/${name}`)).status).toBe(404)
      expect((await post(`{"id":1,"method":"health","params":{"${name}":1}}`)).text).toContain('"result":{}')
    }
  })
})

/** Operations that change nothing even if they succeed. */
const names = Object.keys(ROUTES)

describe('fuzz', () => {
  test('behavior: any JSON as arguments of any operation gets an answer', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.jsonValue(), fc.jsonValue(), async (method, params, id) => {
        const { status, text } = await post(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
        expect([200, 500]).toContain(status)
        if (text !== '') expect(JSON.parse(text)).toHaveProperty('jsonrpc', '2.0')
      }),
      { numRuns: 500 },
    )
  })

  test('behavior: any JSON as named arguments of any operation gets an answer', { timeout: 60_000 }, async () => {
    const call = fc.constantFrom(...Object.values(ROUTES)).chain(({ name, paramNames }) =>
      fc.record({
        method: fc.constant(name),
        params: fc.record(Object.fromEntries(paramNames.map((param) => [param, fc.jsonValue()]))),
      }),
    )
    await fc.assert(
      fc.asyncProperty(call, async (request) => {
        const { text } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }))
        expect(JSON.parse(text)).toHaveProperty('jsonrpc', '2.0')
      }),
      { numRuns: 500 },
    )
  })

  test('behavior: any text as an argument in a URI gets an answer', { timeout: 60_000 }, async () => {
    const call = fc
      .constantFrom(...Object.values(ROUTES))
      .chain(({ name, paramNames }) =>
        fc.tuple(fc.constant(name), fc.constantFrom('x', ...paramNames), fc.string({ unit: 'binary' })),
      )
    await fc.assert(
      fc.asyncProperty(call, async ([name, param, value]) => {
        const query = encodeURIComponent(value.toWellFormed())
        const answer = await fetch(`http://127.0.0.1:${running.port}/${name}?${param}=${query}`)
        expect(await answer.json()).toHaveProperty('jsonrpc', '2.0')
      }),
      { numRuns: 500 },
    )
  })

  test('behavior: any bytes on a connection do not end the server', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await sendRaw(running.port, bytes, 20)
      }),
      { numRuns: 100 },
    )
    expect(await isAlive()).toBe(true)
  })

  test('behavior: after any WebSocket message the next call gets its own answer', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
    await new Promise((resolve) => socket.once('open', resolve))
    for (const bytes of fc.sample(fc.uint8Array({ maxLength: 200 }), 300)) socket.send(bytes)
    const answered = new Promise<void>((resolve) =>
      socket.on('message', (data) => {
        if (String(data).includes('"id":"last"')) resolve()
      }),
    )
    socket.send('{"id":"last","method":"health"}')
    await answered
    socket.terminate()
  })
})

describe('a query of more than 512 bytes', () => {
  const query = Array.from({ length: 100 }, () => 'a.b=1').join(' AND ')
  const call = (method: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { query } })

  test('error: block_search and tx_search refuse it', async () => {
    for (const method of ['block_search', 'tx_search'])
      expect((await post(call(method))).text).toContain('maximum query length exceeded')
  })

  test('error: the length of a query counts in bytes: 200 letters of three bytes are refused', async () => {
    const params = { query: `a.b='${'日'.repeat(200)}'` }
    const { text } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'block_search', params }))
    expect(text).toContain('maximum query length exceeded')
  })

  test('error: unsubscribe refuses it before it is read', async () => {
    await using serving = await startRpc({}, { events: createMemoryEvents() })
    const socket = new WebSocket(`ws://127.0.0.1:${serving.port}/websocket`)
    await once(socket, 'open')
    socket.send(call('unsubscribe'))
    const [answer] = await once(socket, 'message')
    expect(String(answer)).toContain('maximum query length exceeded')
    socket.terminate()
  })

  test('behavior: a strict node accepts it where the reference does', async () => {
    await using strict = await startRpc({ strict: true })
    const answer = await fetch(`http://127.0.0.1:${strict.port}/`, { method: 'POST', body: call('block_search') })
    // The node accepted the query. The search then failed, because the recorded databases lack its result.
    expect(await answer.text()).toContain('not in the dump')
  })
})
