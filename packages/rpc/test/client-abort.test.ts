import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import {
  createHttpTransport,
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  type RpcTransport,
} from '../src/client/index.ts'

interface Node extends AsyncDisposable {
  readonly port: number
  /** Resolves with the next request or upgrade that arrives. */
  readonly asked: () => Promise<unknown>
  /** The messages that came over WebSockets. */
  readonly frames: string[]
}

/**
 * Starts a node that does not answer, or answers what `listener` writes. With `sockets`, it also accepts WebSockets,
 * and does not answer the messages on them.
 */
async function startSilent(listener: RequestListener = () => undefined, sockets = false): Promise<Node> {
  const server = createServer(listener)
  const frames: string[] = []
  const webSockets = sockets ? new WebSocketServer({ server }) : undefined
  webSockets?.on('connection', (socket) => socket.on('message', (data) => frames.push(String(data))))
  if (!sockets) server.on('upgrade', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => Promise.race([once(server, 'request'), once(server, 'upgrade')]),
    frames,
    [Symbol.asyncDispose]: async () => {
      for (const socket of webSockets?.clients ?? []) socket.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

const overHttp = ({ port }: Node): RpcTransport => createHttpTransport(`http://127.0.0.1:${port}`)
const overWebSocket = ({ port }: Node): RpcTransport => createWebSocketTransport(`ws://127.0.0.1:${port}/websocket`)
const reconnecting =
  (connect: (node: Node) => RpcTransport) =>
  (node: Node): RpcTransport =>
    createReconnectingTransport(() => connect(node))

const beginsOnly: RequestListener = (_request, response) => void response.writeHead(200).write('{"jsonrpc"')

describe.each([
  ['HTTP', overHttp],
  ['HTTP, reconnecting', reconnecting(overHttp)],
  ['WebSocket', overWebSocket],
  ['WebSocket, reconnecting', reconnecting(overWebSocket)],
])('a node that does not answer, over %s', (_name, connect) => {
  test('behavior: an aborted call rejects with the reason, connected or not', async () => {
    await using node = await startSilent()
    const controller = new AbortController()
    const asked = node.asked()
    const call = createRpcClient(connect(node)).status({}, { signal: controller.signal })
    await asked
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})

test.each([false, true])(
  'behavior: a call that is aborted in the middle of its answer rejects too, reconnecting: %s',
  async (isLasting) => {
    await using node = await startSilent(beginsOnly)
    const controller = new AbortController()
    const abortLater: typeof fetch = async (...given) => {
      const response = await fetch(...given)
      queueMicrotask(() => controller.abort(new Error('enough')))
      return response
    }
    const connect = (): RpcTransport => createHttpTransport(`http://127.0.0.1:${node.port}`, { fetch: abortLater })
    const client = createRpcClient(isLasting ? createReconnectingTransport(connect) : connect())
    await expect(client.status({}, { signal: controller.signal })).rejects.toThrow('enough')
  },
)

test.each([false, true])('behavior: an aborted subscription ends at once, connected: %s', async (connected) => {
  await using node = await startSilent(undefined, connected)
  const controller = new AbortController()
  const asked = node.asked()
  const events = createRpcClient(overWebSocket(node)).subscribe("tm.event='Tx'", { signal: controller.signal })
  const first = events[Symbol.asyncIterator]().next()
  await asked
  if (connected) await expect.poll(() => node.frames.length).toBe(1)
  controller.abort(new Error('enough'))
  await expect(first).rejects.toThrow('enough')
})

test.each([
  ['plain', overWebSocket],
  ['reconnecting', reconnecting(overWebSocket)],
])('error: a closed client sends nothing, and calls that wait for its connection reject: %s', async (_, connect) => {
  await using node = await startSilent()
  const client = createRpcClient(connect(node))
  const asked = node.asked()
  const call = client.status()
  await asked
  client.close()
  await expect(call).rejects.toMatchObject({ code: 'RPC_CLIENT_CLOSED' })
  await expect(client.status()).rejects.toMatchObject({ code: 'RPC_CLIENT_CLOSED' })
})
