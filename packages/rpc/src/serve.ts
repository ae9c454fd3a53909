import { once } from 'node:events'
import type { Rpc } from './rpc.ts'

/** The address on which {@link serveApp} listens. Without `hostname` it listens on all addresses of the machine. */
export interface ServeOptions {
  /** The port to listen on; 0: any free port. */
  readonly port: number
  readonly hostname?: string
}

/** A server that {@link serveApp} started: the port on which it listens, and the function that stops it. */
export interface ServedApp {
  readonly port: number
  readonly stop: () => Promise<void>
}

/**
 * Serves the hono app and its WebSockets with the package @hono/node-server. The answers have the same bodies, status
 * codes and headers as the answers of the function `listen`. The HTTP framing of the answers is the framing of Node.js.
 * The function `listen` is faster, and has the reference's framing and limits.
 */
export async function serveApp(rpc: Pick<Rpc, 'app' | 'upgrade'>, options: ServeOptions): Promise<ServedApp> {
  // The package @hono/node-server is loaded only here. A node with its own HTTP server does not need this package.
  const { serve } = await import('@hono/node-server')
  const server = serve({ fetch: rpc.app.fetch, ...options })
  server.on('upgrade', rpc.upgrade)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}
