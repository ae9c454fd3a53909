import { createGrpcServer } from './grpc-server.ts'
import type { AbciServer, ServerModules, ServerOptions } from './options.ts'
import { createSocketServer } from './socket-server.ts'

/** Serves an application over the socket or the gRPC protocol; any ABCI 2.0 node can drive it. */
export function createAbciServer(options: ServerOptions, modules: ServerModules): AbciServer {
  return options.kind === 'grpc' ? createGrpcServer(options, modules) : createSocketServer(options, modules)
}
