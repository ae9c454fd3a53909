import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { WebSocketLike } from '@org/rpc/client'
import { createVirtualClock, type VirtualClock } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { openPrimarySocket, socketAddress } from '../src/light/primary-socket.ts'

interface Opened {
  readonly like: WebSocketLike
  readonly clock: VirtualClock
  /** The names of the socket's events, and the texts of the messages that the socket received, in their order. */
  readonly seen: string[]
}

function open(port: number): Opened {
  const clock = createVirtualClock()
  const like = openPrimarySocket(socketAddress(`http://127.0.0.1:${port}`), { clock })
  const seen: string[] = []
  like.onopen = () => void seen.push('open')
  like.onmessage = ((event: { readonly data: string }) => void seen.push(event.data)) as WebSocketLike['onmessage']
  like.onerror = () => void seen.push('error')
  like.onclose = () => void seen.push('close')
  return { like, clock, seen }
}

/**
 * Starts a server in place of the primary, and opens a WebSocket to it. `node` is the server's side of this WebSocket,
 * and `connection` is the connection below it.
 */
async function connected(
  options: { readonly autoPong?: boolean } = {},
): Promise<Opened & { readonly node: WebSocket; readonly connection: Socket }> {
  const server = createServer()
  const connection = new Promise<Socket>((resolve) => server.on('connection', resolve))
  const sockets = new WebSocketServer({ server, ...options })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  })
  const node = new Promise<WebSocket>((resolve) => sockets.on('connection', resolve))
  const opened = open((server.address() as AddressInfo).port)
  const accepted = await node
  await expect.poll(() => opened.seen).toEqual(['open'])
  return { ...opened, node: accepted, connection: await connection }
}

test('error: a message of more than a million values ends the connection, and is not passed on', async () => {
  const { node, seen, clock } = await connected()
  node.send(`[${'1,'.repeat(999_000)}1]`)
  await expect.poll(() => seen.length).toBe(2)
  node.send(`[${'1,'.repeat(1_000_000)}1]`)
  await expect.poll(() => seen.at(-1)).toBe('close')
  expect(seen).toHaveLength(3)
  expect(clock.pending()).toBe(0)
})

test('behavior: a message that arrives together with the answer to the upgrade is received', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, connection, head) => {
    connection.cork()
    sockets.handleUpgrade(request, connection, head, (node) => {
      node.send('early')
      connection.uncork()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  })
  const { seen } = open((server.address() as AddressInfo).port)
  await expect.poll(() => seen).toEqual(['open', 'early'])
})

test('error: a node that does not complete a message, and sends control frames in it, loses the connection', async () => {
  const { node, connection, seen } = await connected()
  node.send('whole')
  await expect.poll(() => seen).toEqual(['open', 'whole'])
  const pong = Buffer.from([0x8a, 125, ...new Uint8Array(125)])
  const part = Buffer.concat([Buffer.from([0x00, 1, 0x78]), ...Array.from({ length: 10_000 }, () => pong)])
  connection.write(Buffer.from([0x01, 1, 0x78]))
  for (let sent = 0; sent < 65 << 20 && !connection.destroyed; sent += part.length)
    await new Promise<void>((resolve) => void connection.write(part, () => resolve()))
  await expect.poll(() => seen).toEqual(['open', 'whole', 'close'])
})

test('error: a node that is silent for a minute loses the connection', async () => {
  const { node, seen, clock } = await connected({ autoPong: false })
  const pinged = new Promise((resolve) => node.once('ping', resolve))
  clock.advance(30_000)
  await pinged
  expect(seen).toEqual(['open'])
  clock.advance(30_000)
  await expect.poll(() => seen).toEqual(['open', 'close'])
})

test('behavior: a node that answers a ping, or sends a message, keeps the connection', async () => {
  const { node, seen, clock } = await connected()
  for (let i = 1; i <= 4; i++) {
    const pinged = new Promise((resolve) => node.once('ping', resolve))
    clock.advance(30_000)
    await pinged
    node.send(String(i))
    await expect.poll(() => seen.at(-1)).toBe(String(i))
  }
  expect(seen).toEqual(['open', '1', '2', '3', '4'])
})

test('error: the attempt to connect to a node ends if the node does not accept within half a minute', async () => {
  const server = createServer()
  const asked = new Promise((resolve) => server.on('upgrade', resolve))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { seen, clock } = open((server.address() as AddressInfo).port)
  await asked
  expect(seen).toEqual([])
  clock.advance(30_000)
  await expect.poll(() => seen).toEqual(['error', 'close'])
  expect(clock.pending()).toBe(0)
})

test('behavior: a connection that has ended passes no message on', async () => {
  const { like, node, seen } = await connected()
  const ended = new Promise((resolve) => node.once('close', resolve))
  like.close()
  node.send('late')
  await ended
  await expect.poll(() => seen).toEqual(['open', 'close'])
})
