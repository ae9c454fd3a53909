export { RPC_ERRORS, RpcError, type RpcErrorCode } from './errors.ts'
export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts'
export type { Preparing } from './preparing/index.ts'
export type { Relay } from './relay/index.ts'
export {
  createPreparingServer,
  createRelayServer,
  createRpcServer,
  type PreparingModules,
  type RelayModules,
  type RpcModules,
  type RpcServer,
  type ServedMemory,
} from './rpc-server.ts'
export { createSite, type Site, type SiteOptions } from './site/index.ts'
export type { RpcListener } from './transports/listen.ts'
