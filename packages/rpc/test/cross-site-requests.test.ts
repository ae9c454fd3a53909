import { connect } from 'node:net'
import { createVirtualClock } from '@org/runtime'
import { expect, test } from 'vitest'
import { createRateLimit } from '../src/middleware/rate-limit.ts'
import { sendRaw } from './raw.ts'
import { startRpc } from './start-rpc.ts'

const upgrade = (host: string, origin?: string): string =>
  `GET /websocket HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${origin === undefined ? '' : `Origin: ${origin}\r\n`}\r\n`

/** Sends a request. Resolves with the first bytes of the answer: its head, and a short body. */
const answerOf = (port: number, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('error', reject)
    socket.once('data', (bytes) => {
      socket.destroy()
      resolve(bytes.toString('latin1'))
    })
  })

const statusOf = async (port: number, request: string): Promise<string> =>
  (await answerOf(port, request)).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)

test('default: a WebSocket of a page of another site is refused', async () => {
  await using running = await startRpc({ corsAllowedOrigins: ['https://a.example'] })
  const { port } = running
  const text = await answerOf(port, upgrade('localhost:1', 'https://evil.example'))
  expect(text).toContain('HTTP/1.1 403 Forbidden')
  expect(text).toContain('RPC_FOREIGN_ORIGIN')
  expect(await statusOf(port, upgrade('localhost:1', 'null'))).toBe('403')
  expect(await statusOf(port, upgrade('localhost:1', 'http://localhost:2'))).toBe('403')
  expect(await statusOf(port, upgrade('localhost:1', 'http://localhost:1'))).toBe('101')
  expect(await statusOf(port, upgrade('localhost:1', 'https://a.example'))).toBe('101')
  expect(await statusOf(port, upgrade('localhost:1'))).toBe('101')
})

test('default: a listener on loopback refuses names that are not its own', async () => {
  await using running = await startRpc({ corsAllowedOrigins: ['https://a.example'] })
  const ask = (host: string): Promise<string> => statusOf(running.port, `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const hosts = ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example']
  for (const host of hosts) expect(await ask(host)).toBe('403')
  for (const host of ['localhost', 'LOCALHOST:5', 'x.localhost', '127.0.0.1:1', '[::1]:1', 'a.example', ''])
    expect([host, await ask(host)]).toEqual([host, '200'])
  const text = await answerOf(running.port, 'GET /health HTTP/1.0\r\n\r\n')
  expect(text).toContain('HTTP/1.0 200')
})

test('default: an unsafe operation is called in a POST with JSON only', async () => {
  await using running = await startRpc({ unsafe: true })
  const url = `http://127.0.0.1:${running.port}/`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'unsafe_flush_mempool', params: {} })
  const post = async (type: string): Promise<string> =>
    (await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })).text()
  expect(await (await fetch(`${url}unsafe_flush_mempool`)).text()).toContain('RPC_UNSAFE_CALL')
  expect(await post('text/plain')).toContain('RPC_UNSAFE_CALL')
  expect(await post('application/json; charset=utf-8')).not.toContain('RPC_UNSAFE_CALL')
})

test('default: the listing shows the host of a target escaped, and the reference form when strict', async () => {
  const request = 'GET http://<b>&"x"/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  for (const [strict, shown] of [
    [false, '//&lt;b&gt;&amp;&#34;x&#34;/health'],
    [true, '//<b>&"x"/health'],
  ] as const) {
    await using running = await startRpc({ strict })
    const { text } = await sendRaw(running.port, request, 10_000)
    expect(text).toContain('HTTP/1.1 200 OK')
    expect(text).toContain(shown)
  }
})

test('default: requests of an IPv6 /64 network share one rate limit', () => {
  const clock = createVirtualClock()
  const limit = createRateLimit({ rateLimit: 1, rateBurst: 2, rateCosts: [], strict: false }, clock)
  const take = (address: string): boolean | undefined => limit?.tryTake(address, ['health'])
  expect(take('[2001:db8::1]:1')).toBe(true)
  expect(take('[2001:db8::2]:1')).toBe(true)
  expect(take('[2001:db8:0:0:ffff::3]:1')).toBe(false)
  expect(take('[2001:db8:0:1::3]:1')).toBe(true)
})

test('behavior: a strict node, and a node with an open list of origins, refuse none of these requests', async () => {
  for (const options of [{ strict: true }, { corsAllowedOrigins: ['*'] }]) {
    await using running = await startRpc(options)
    expect(await statusOf(running.port, upgrade('evil.example', 'https://evil.example'))).toBe('101')
  }
})
