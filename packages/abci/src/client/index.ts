export type { AbciClient, AbciMethods, RemoteClient } from './client.ts'
export {
  type AbciConnections,
  CONNECTION_NAMES,
  type ConnectionName,
  type ConnectionOptions,
  createConnections,
} from './connections.ts'
export { createGrpcClient } from './grpc-client.ts'
export { createLocalClient } from './local-client.ts'
export type { ClientModules, ConnectionsModules, RemoteOptions } from './options.ts'
export { createSocketClient } from './socket-client.ts'
