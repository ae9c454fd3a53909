import { formatListenAddress, parseListenAddress } from '../http/index.ts'
import type { RpcService } from '../service.ts'
import { createBroadcastApi } from './broadcast-api.ts'
import { GRPC_LIMITS } from './options.ts'
import { type GrpcServer, startGrpcServer } from './server.ts'

/** Serves the `BroadcastAPI` on `options.grpcLaddr`. Returns `undefined` if that address is empty. */
export async function listenForGrpc(service: RpcService): Promise<GrpcServer | undefined> {
  const { grpcLaddr, grpcMaxOpenConnections, readTimeoutMs, strict, socketMode } = service.options
  if (grpcLaddr === '') return undefined
  const limits = { ...GRPC_LIMITS, readTimeoutMs, maxOpenConnections: grpcMaxOpenConnections }
  const server = await startGrpcServer(
    parseListenAddress(grpcLaddr),
    { limits, socketMode: strict ? undefined : socketMode },
    { methods: createBroadcastApi(service), clock: service.clock, holders: service.memory },
  )
  service.logger.info('gRPC server listens', { address: formatListenAddress(server.address) })
  return server
}
