import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { loadOnce } from '@org/runtime'
import type { WebSocketServer } from 'ws'
import { type HttpRequest, type HttpResponse, type HttpUpgrade, remoteAddressOf } from '../http/index.ts'
import { ownText } from '../json/index.ts'
import { forbidden } from '../middleware/cross-site-requests.ts'
import type { Profiles } from '../profiles/create-profiles.ts'
import type { RpcService } from '../service.ts'
import { createEventFlush } from '../subscriptions/event-flush.ts'
import { createEventFrames, type EventFrames } from '../subscriptions/event-frame.ts'
import { holdableSockets } from './held-close.ts'
import { checkUpgrade } from './upgrade.ts'
import { RpcWebSocket } from './websocket.ts'

export interface WebSockets {
  /** The answer to a request for `/websocket`. */
  readonly upgrade: (request: HttpRequest) => Promise<HttpResponse | HttpUpgrade>
  /** Takes over a connection of another HTTP server, from its `upgrade` event. */
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void
  readonly connections: () => number
  readonly closeAll: () => void
}

interface Arrival {
  readonly socket: Duplex
  readonly head: Uint8Array
  readonly address: string
  readonly service: RpcService
}

/** The headers that show which web page opened a WebSocket. Only these are kept. */
const PAGE_HEADERS = ['origin', 'sec-fetch-site', 'host'] as const

function headersOf(request: IncomingMessage): ReadonlyMap<string, string> {
  return new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}

function pageHeadersOf(request: IncomingMessage): ReadonlyMap<string, string> {
  return new Map(PAGE_HEADERS.map((name) => [name, ownText(String(request.headers[name] ?? ''))]))
}

/** Refuses the WebSocket of a web page that may not use the RPC, and ends its connection. */
function refuseForeign(socket: Duplex, { status, body }: ReturnType<typeof forbidden>): void {
  const text = body.join('')
  socket.end(
    `HTTP/1.1 ${status} Forbidden\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

/** Loads the package `ws` at the first connection, so that the start of the node is faster. */
async function makeServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocket, WebSocketServer } = await import('ws')
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // The reference accepts a message with bytes that are not UTF-8, and replaces each of these bytes by U+FFFD. The
    // JSON decoder of this node does the same. So the package `ws` must not refuse the message.
    skipUTF8Validation: true,
    handleProtocols: () => false,
    WebSocket: holdableSockets(WebSocket),
  })
}

/** Accepts WebSockets for the RPC. */
export function createWebSockets(profiles: Profiles): WebSockets {
  const open = new Set<RpcWebSocket>()
  const shared = new Map<string, EventFrames>()
  const eventFlush = createEventFlush(profiles.service)
  let unnamed = 0

  const loadServer = loadOnce(() => makeServer(profiles.service.options.maxBodyBytes))

  /** All connections with the same profile share the frames, so each event is encoded once per profile. */
  function framesFor({ profile, ports }: RpcService): EventFrames {
    const frames = shared.get(profile.name) ?? createEventFrames(profile, ports)
    shared.set(profile.name, frames)
    return frames
  }

  function attach(
    server: WebSocketServer,
    request: IncomingMessage,
    { socket, head, address, service }: Arrival,
  ): void {
    // These functions live as long as the WebSocket. They must not use `request`: it would keep all headers in memory.
    const headers = pageHeadersOf(request)
    server.handleUpgrade(request, socket, Buffer.from(head), (webSocket) => {
      // Connections over a unix socket have no address of their own, but each needs a subscriber name.
      const remoteAddress = address === '@' ? `@${++unnamed}` : address
      const connection = new RpcWebSocket(webSocket, service, {
        frames: framesFor(service),
        eventFlush,
        remoteAddress,
        connection: socket,
        headers,
      })
      open.add(connection)
      webSocket.once('close', () => open.delete(connection))
    })
  }

  return {
    upgrade: async (request) => {
      const refusal = checkUpgrade(request)
      if (refusal !== undefined) return refusal
      const chosen = profiles.choose(request)
      if (chosen.kind === 'unknown') return chosen.response
      const { service } = chosen
      const fault = service.foreign.originFault(request)
      if (fault !== undefined) return forbidden(service.profile, fault)
      const server = await loadServer()
      return {
        upgrade: (socket, head) => {
          const headers = { ...Object.fromEntries(request.headers), host: request.host }
          const message = { method: request.method, url: request.target, headers }
          attach(server, message as unknown as IncomingMessage, {
            socket,
            head,
            address: request.remoteAddress,
            service,
          })
        },
      }
    },
    accept: (request, socket, head) => {
      const address = remoteAddressOf(request.socket)
      socket.on('error', () => socket.destroy())
      const headers = headersOf(request)
      const chosen = profiles.choose({ target: request.url ?? '/', headers })
      if (chosen.kind === 'unknown') {
        socket.end('HTTP/1.1 406 Not Acceptable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
        return
      }
      const { service } = chosen
      const fault = service.foreign.originFault({ headers, host: headers.get('host') ?? '' })
      if (fault !== undefined) {
        refuseForeign(socket, forbidden(service.profile, fault))
        return
      }
      loadServer().then(
        (server) => attach(server, request, { socket, head, address, service }),
        () => socket.destroy(),
      )
    },
    connections: () => open.size,
    closeAll: () => {
      for (const connection of open) connection.close()
    },
  }
}
