import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import { type HttpRequest, type HttpResponse, type HttpUpgrade, remoteAddressOf } from '../http/index.ts'
import { createEventFrames } from './event-frame.ts'
import type { RpcService } from './service.ts'
import { checkUpgrade } from './upgrade.ts'
import { RpcWebSocket } from './websocket.ts'

export interface WebSockets {
  /** The answer to a request for `/websocket`. */
  readonly upgrade: (request: HttpRequest) => HttpResponse | Promise<HttpUpgrade>
  /** Takes over a connection of another HTTP server, from its `upgrade` event. */
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void
  readonly connections: () => number
  readonly closeAll: () => void
}

/** Accepts WebSockets for the RPC. */
export function createWebSockets(service: RpcService): WebSockets {
  let making: Promise<WebSocketServer> | undefined
  const open = new Set<RpcWebSocket>()
  const frames = createEventFrames()
  let unnamed = 0

  /** Loaded with the first connection: a start has no use for it. */
  async function makeServer(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import('ws')
    return new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: service.options.maxBodyBytes,
      // The reference reads any bytes; its JSON makes U+FFFD of bad ones.
      skipUTF8Validation: true,
      handleProtocols: () => false,
    })
  }

  function loadServer(): Promise<WebSocketServer> {
    making ??= makeServer()
    return making
  }

  function attach(
    server: WebSocketServer,
    request: IncomingMessage,
    { socket, head, address }: { readonly socket: Duplex; readonly head: Uint8Array; readonly address: string },
  ): void {
    server.handleUpgrade(request, socket, Buffer.from(head), (webSocket) => {
      // Connections over a unix socket have no address of their own; subscribers need one each.
      const remoteAddress = address === '@' ? `@${++unnamed}` : address
      const connection = new RpcWebSocket(webSocket, service, { frames, remoteAddress, connection: socket })
      open.add(connection)
      webSocket.once('close', () => open.delete(connection))
    })
  }

  return {
    upgrade: (request) => {
      const refusal = checkUpgrade(request)
      if (refusal !== undefined) return refusal
      return loadServer().then((server) => ({
        upgrade: (socket, head) => {
          const message = { method: request.method, url: request.target, headers: Object.fromEntries(request.headers) }
          attach(server, message as unknown as IncomingMessage, { socket, head, address: request.remoteAddress })
        },
      }))
    },
    accept: (request, socket, head) => {
      const address = remoteAddressOf(request.socket)
      socket.on('error', () => socket.destroy())
      loadServer().then(
        (server) => attach(server, request, { socket, head, address }),
        () => socket.destroy(),
      )
    },
    connections: () => open.size,
    closeAll: () => {
      for (const connection of open) connection.close()
    },
  }
}
