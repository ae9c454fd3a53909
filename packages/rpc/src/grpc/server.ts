import { createServer, type ServerHttp2Session } from 'node:http2'
import { clearStaleSocket } from '@org/runtime/sockets'
import { boundAddress, type ListenAddress, listen } from '../http/index.ts'
import { type GrpcConnectionModules, serveConnection } from './connection.ts'
import type { GrpcLimits } from './options.ts'

export interface GrpcServer {
  /** The address of the server, with the port that was chosen for port 0. */
  readonly address: ListenAddress
  /** Stops listening, lets calls in progress finish for `graceMs`, then ends every connection. */
  readonly stop: (graceMs?: number) => Promise<void>
}

/**
 * The maximum memory, in megabytes, that Node.js may use for the headers, frames and streams of one HTTP/2 connection.
 */
const MAX_SESSION_MEGABYTES = 10
/** The maximum number of header fields of one call. The reference's client sends seven. */
const MAX_HEADERS = 64

/**
 * Listens on one address and serves gRPC without TLS, as the reference does. Throws RpcError (`RPC_CONFIG`) if it
 * cannot listen.
 */
export async function startGrpcServer(
  address: ListenAddress,
  { limits, socketMode }: { readonly limits: GrpcLimits; readonly socketMode: number | undefined },
  modules: GrpcConnectionModules,
): Promise<GrpcServer> {
  const { clock } = modules
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer({
    maxSessionMemory: MAX_SESSION_MEGABYTES,
    maxHeaderListPairs: MAX_HEADERS,
    settings: {
      enablePush: false,
      maxConcurrentStreams: limits.maxStreams,
      maxHeaderListSize: limits.maxHeaderBytes,
    },
  })
  if (limits.maxOpenConnections > 0) server.maxConnections = limits.maxOpenConnections
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    serveConnection(session, limits, modules)
  })
  server.on('sessionError', () => undefined)
  if (address.kind === 'unix') await clearStaleSocket(address.path)
  await listen(server, address, socketMode)

  return {
    address: boundAddress(server, address),
    stop: async (graceMs = 0) => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      for (const session of sessions) session.close()
      const kill = clock.after(graceMs, () => {
        for (const session of sessions) session.destroy()
      })
      await closed
      kill.cancel()
    },
  }
}
