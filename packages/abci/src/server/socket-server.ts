import { createServer, type Socket } from 'node:net'
import { type Address, formatAddress, parseAddress } from '../address.ts'
import { createApplicationHost } from '../application/index.ts'
import { MAX_FRAME_BYTES } from '../options.ts'
import { listen } from './listen.ts'
import type { AbciServer, ServerModules, ServerOptions } from './options.ts'
import { serveSocket } from './socket-connection.ts'
import { stderrLogger } from './stderr-logger.ts'

export function createSocketServer(options: ServerOptions, modules: ServerModules): AbciServer {
  const { maxFrameBytes = MAX_FRAME_BYTES } = options
  const { app, logger = stderrLogger } = modules
  const wanted = parseAddress(options.address)
  const host = createApplicationHost(app)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => void sockets.delete(socket))
    serveSocket(socket, host, { maxFrameBytes, logger })
  })
  let bound: Address = wanted
  return {
    start: async () => {
      await listen(server, wanted)
      const at = server.address()
      if (wanted.kind === 'tcp' && typeof at === 'object' && at !== null) bound = { ...wanted, port: at.port }
      logger.info('Listening', { address: formatAddress(bound) })
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
    address: () => formatAddress(bound),
  }
}
