import { request } from 'node:http'
import { createRpcServer } from '@org/rpc/server'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnet } from '../src/devnet/index.ts'
import { createKeyValueApp } from './support/key-value-app.ts'

type Headers = Readonly<Record<string, string>>
const EVIL = 'http://evil.example'

/** Starts a devnet whose RPC accepts web pages of any origin, like the RPC of `halley devnet --control`. */
async function start(corsAllowedOrigins: readonly string[] = ['*']) {
  const devnet = await createDevnet({ app: createKeyValueApp })
  const options = { laddr: 'tcp://127.0.0.1:0', cacheBytes: 0, corsAllowedOrigins }
  const listener = await createRpcServer({ ports: devnet.ports, options }).listen()
  onTestFinished(async () => {
    await listener.stop()
    await devnet.stop()
  })
  const { port } = new URL((listener.addresses[0] as string).replace('tcp', 'http'))
  /** Sends one request with these headers. Resolves with the text of the answer. */
  const send = (path: string, headers: Headers, body?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += chunk))
        answer.on('end', () => resolve(text))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const overWebSocket = (headers: Headers): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`, { headers })
      socket.on('error', reject)
      socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"dev_mine","params":{}}'))
      socket.on('message', (text) => {
        socket.close()
        resolve(String(text))
      })
    })
  return { devnet, port, send, overWebSocket }
}

const BODY = '{"jsonrpc":"2.0","id":1,"method":"dev_mine","params":{}}'

test('error: a page of another site cannot control a devnet, although it may use the RPC', async () => {
  const { devnet, port, send, overWebSocket } = await start()
  const rebound = { Host: `evil.example:${port}` }
  const pages: readonly Headers[] = [
    { Origin: EVIL },
    { Origin: 'null' },
    { Origin: 'http://localhost.evil.example' },
    { Origin: 'http://127.0.0.1.evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    rebound,
    { ...rebound, Origin: `http://evil.example:${port}` },
  ]
  for (const page of pages) {
    const shown = JSON.stringify(page)
    expect(await send('/dev_mine', page), shown).toContain('RPC_FOREIGN_ORIGIN')
    expect(await send('/', { ...page, 'Content-Type': 'text/plain' }, BODY), shown).toContain('RPC_FOREIGN_ORIGIN')
    expect(await overWebSocket(page), shown).toContain('RPC_FOREIGN_ORIGIN')
  }
  expect(devnet.height()).toBe(0)
  expect(await send('/health', { Origin: EVIL })).toContain('"result"')
})

test('default: programs, the page of the node and pages of this machine control a devnet', async () => {
  const { devnet, port, send, overWebSocket } = await start()
  const own: readonly Headers[] = [
    {},
    { Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'cross-site' },
    { Host: `localhost:${port}` },
    { 'Sec-Fetch-Site': 'none' },
  ]
  for (const headers of own) {
    const before = devnet.height()
    await send('/dev_mine', headers)
    await send('/', headers, BODY)
    await overWebSocket(headers)
    expect(devnet.height(), JSON.stringify(headers)).toBe(before + 3)
  }
})

test('behavior: an origin that the operator lists may control a devnet', async () => {
  const { devnet, send } = await start(['*', EVIL])
  await send('/dev_mine', { Origin: EVIL })
  expect(devnet.height()).toBe(1)
})
