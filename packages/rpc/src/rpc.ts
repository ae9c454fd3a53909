import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Clock, createSystemClock, type Logger, noopLogger } from '@org/runtime'
import type { Hono } from 'hono'
import { type HttpHandler, type ListenAddress, parseListenAddresses } from './http/index.ts'
import { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts'
import type { Ports } from './ports/index.ts'
import { createResultCache } from './routes/invoke.ts'
import type { Route } from './routes/route.ts'
import { activeRoutes } from './routes/table.ts'
import { bodyErrorResponse, createHandler } from './transports/handler.ts'
import { createHonoApp } from './transports/hono.ts'
import { listenOn, type RpcListener } from './transports/listen.ts'
import type { RpcService } from './transports/service.ts'
import { createWebSockets } from './transports/websocket-server.ts'

export interface RpcModules {
  readonly ports: Ports
  /** Those left out have the reference's defaults. */
  readonly options?: Partial<RpcOptions>
  readonly clock?: Clock
  readonly logger?: Logger
}

export interface Rpc {
  /** To mount in a hono app, or to serve by anything that speaks fetch. WebSockets need {@link Rpc.upgrade} beside it. */
  readonly app: Hono
  /** For the `upgrade` event of another server. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void
  readonly routes: ReadonlyMap<string, Route>
  /** Answers one request, read whole. */
  readonly handler: HttpHandler
  /** Listens on `options.laddr` with the reference's own HTTP, byte for byte. Throws RpcError (`RPC_CONFIG`). */
  readonly listen: () => Promise<RpcListener>
  /** The addresses of `options.laddr`. */
  readonly addresses: () => readonly ListenAddress[]
}

/** The RPC of a node over its ports. */
export function createRpc(modules: RpcModules): Rpc {
  const options: RpcOptions = { ...DEFAULT_RPC_OPTIONS, ...modules.options }
  const clock = modules.clock ?? createSystemClock()
  const service: RpcService = {
    options,
    ports: modules.ports,
    routes: activeRoutes(options, modules.ports),
    cache: createResultCache(options.cacheBytes),
    clock,
    logger: modules.logger ?? noopLogger,
  }
  const webSockets = createWebSockets(service)
  const handler = createHandler(service, { upgrade: webSockets.upgrade })
  const app = createHonoApp({
    handler,
    maxBodyBytes: options.maxBodyBytes,
    bodyError: (message) => bodyErrorResponse(message, true),
    serverTime: () => (clock.now() / 1_000_000_000n).toString(),
  })
  return {
    app,
    upgrade: webSockets.accept,
    routes: service.routes,
    handler,
    addresses: () => parseListenAddresses(options.laddr),
    listen: () => listenOn(parseListenAddresses(options.laddr), { service, handler, webSockets }),
  }
}
