export { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts'
export type * from './ports/index.ts'
