import { createServer, type Server, type Socket } from 'node:net'
import type { Timer } from '@org/runtime'
import { messageOf } from '@org/runtime/errors'
import { clearStaleSocket } from '@org/runtime/sockets'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { ListenAddress } from './address.ts'
import { type ConnectionModules, type ConnectionOptions, HttpConnection } from './connection.ts'
import { createFlushQueue } from './flush-queue.ts'
import { createHeadParser } from './head-cache.ts'
import { boundAddress, listen } from './listen.ts'

export interface HttpServerOptions extends ConnectionOptions {
  /** The maximum number of connections that are served at the same time; more connections wait. 0: no limit. */
  readonly maxOpenConnections: number
  /** The certificate and the key for HTTPS, as PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Permissions of a socket file. Default: those that the umask of the process gives. */
  readonly socketMode?: number
}

export interface HttpServer {
  /** The address of the server, with the port that was chosen for port 0. */
  readonly address: ListenAddress
  readonly connections: () => number
  /** Stops listening, lets answers in progress finish for `graceMs`, then ends every connection. */
  readonly stop: (graceMs?: number) => Promise<void>
}

/** The interval, in milliseconds, at which the server closes the connections that have exceeded a time limit. */
const SWEEP_MS = 500
/** The maximum number of connections that wait to be served. */
const MAX_WAITING = 1024

async function createListener(options: HttpServerOptions, onSocket: (socket: Socket) => void): Promise<Server> {
  const common = { noDelay: true, allowHalfOpen: true }
  const { tls } = options
  if (tls === undefined) return createServer(common, onSocket)
  const { createServer: createTlsServer } = await import('node:tls')
  try {
    const limits = {
      handshakeTimeout: options.readTimeoutMs,
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    } as const
    const server = createTlsServer({ ...common, ...tls, ...limits }, onSocket)
    // A connection in the TLS handshake counts neither as served nor as waiting. Therefore the TLS server has its own
    // limit, which includes the connections in the handshake.
    if (options.maxOpenConnections > 0) server.maxConnections = options.maxOpenConnections + MAX_WAITING
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    return server
  } catch (error) {
    throw new RpcError(RPC_ERRORS.config, `TLS certificate or key cannot be used: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** Listens on one address and serves HTTP/1. Throws RpcError (`RPC_CONFIG`) if it cannot listen. */
export async function startHttpServer(
  address: ListenAddress,
  options: HttpServerOptions,
  modules: ConnectionModules,
): Promise<HttpServer> {
  const { clock } = modules
  const connectionModules = { ...modules, parseHead: createHeadParser(options), flushQueue: createFlushQueue() }
  const open = new Map<Socket, HttpConnection | undefined>()
  const waiting: Socket[] = []
  let sweeper: Timer | undefined

  function sweep(): void {
    const now = clock.monotonic()
    for (const connection of open.values())
      if (connection !== undefined && connection.deadline < now) connection.destroy()
    sweeper = open.size === 0 || !server.listening ? undefined : clock.after(SWEEP_MS, sweep)
  }

  function serve(socket: Socket): void {
    open.set(socket, new HttpConnection(socket, options, connectionModules))
    sweeper ??= clock.after(SWEEP_MS, sweep)
    socket.resume()
  }

  function onClosed(socket: Socket): void {
    if (!open.delete(socket)) {
      const at = waiting.indexOf(socket)
      if (at >= 0) waiting.splice(at, 1)
      return
    }
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (next.destroyed) continue
      serve(next)
      return
    }
  }

  function onSocket(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    socket.once('close', () => onClosed(socket))
    const { maxOpenConnections } = options
    if (maxOpenConnections === 0 || open.size < maxOpenConnections) serve(socket)
    else if (waiting.length < MAX_WAITING) waiting.push(socket.pause())
    else socket.destroy()
  }

  if (address.kind === 'unix') await clearStaleSocket(address.path)
  const server = await createListener(options, onSocket)
  await listen(server, address, options.socketMode)

  async function stop(graceMs = 0): Promise<void> {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    for (const socket of waiting) socket.destroy()
    for (const connection of open.values()) connection?.close()
    const kill = clock.after(graceMs, () => {
      for (const socket of open.keys()) socket.destroy()
    })
    await closed
    kill.cancel()
    sweeper?.cancel()
  }

  return {
    address: boundAddress(server, address),
    connections: () => open.size,
    stop,
  }
}
