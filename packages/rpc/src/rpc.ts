import { createSystemClock } from '@org/runtime'
import type { Hono } from 'hono'
import { DEFAULT_RPC_OPTIONS } from './options.ts'
import { createRpcServer, type RpcModules, type RpcServer } from './rpc-server.ts'
import { bodyErrorResponse } from './transports/handler.ts'
import { createHonoApp } from './transports/hono.ts'

/** The RPC of a node: a hono app, and a server with the reference's framing of HTTP. */
export interface Rpc extends RpcServer {
  /**
   * The hono app of the RPC. It can be mounted in another hono app, or run under any server with the fetch API.
   * WebSockets also need {@link Rpc.upgrade}.
   */
  readonly app: Hono
}

/** Creates the RPC of a node. `modules` contains the options, and the ports through which the RPC reads the node. */
export function createRpc(modules: RpcModules): Rpc {
  const clock = modules.clock ?? createSystemClock()
  const server = createRpcServer({ ...modules, clock })
  const app = createHonoApp({
    handler: server.handler,
    maxBodyBytes: modules.options?.maxBodyBytes ?? DEFAULT_RPC_OPTIONS.maxBodyBytes,
    bodyError: (message) => bodyErrorResponse(message, true),
    serverTime: () => (clock.now() / 1_000_000_000n).toString(),
  })
  return { ...server, app }
}
