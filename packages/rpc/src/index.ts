export type { Route } from './call/route.ts'
export { RPC_ERRORS, RpcError, type RpcErrorCode } from './errors.ts'
export type { HttpHandler, HttpRequest, HttpResponse, ListenAddress } from './http/index.ts'
export { ROUTES } from './operations/table.ts'
export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts'
export type * from './ports/index.ts'
export type { Relay } from './relay/index.ts'
export { createRpc, type Rpc } from './rpc.ts'
export {
  createRelayServer,
  createRpcServer,
  type RelayModules,
  type RpcModules,
  type RpcServer,
  type ServedMemory,
} from './rpc-server.ts'
export { type ServedApp, type ServeOptions, serveApp } from './serve.ts'
export type { RpcListener } from './transports/listen.ts'
