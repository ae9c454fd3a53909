export { RPC_ERRORS, RpcError, type RpcErrorCode } from './errors.ts'
export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts'
export { createRpcServer, type RpcModules, type RpcServer, type ServedMemory } from './rpc-server.ts'
export type { RpcListener } from './transports/listen.ts'
