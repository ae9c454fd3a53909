import { createServer } from 'node:net'
import { clearStaleSocket, listenOnPath } from '@org/runtime/sockets'
import type { ByteTransport } from './byte-transport.ts'
import { TRANSPORT_ERRORS, TransportError } from './errors.ts'
import { tcpTransport } from './tcp.ts'

/**
 * Listens on a unix socket to which only the user of this process can connect, and passes each connection to `accept`.
 * If the path has the socket file of a server that has ended, replaces this file. Never replaces any other file. Throws
 * `TRANSPORT_LISTEN`.
 */
export async function listenUnix(
  path: string,
  accept: (transport: ByteTransport) => void,
): Promise<{ readonly close: () => Promise<void> }> {
  await clearStaleSocket(path)
  const server = createServer({ pauseOnConnect: true }, (socket) => accept(tcpTransport(socket)))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new TransportError(TRANSPORT_ERRORS.listen, `listen on ${path}: ${cause.message}`, { cause }))
    })
    listenOnPath(server, { path, mode: 0o600, onListening: resolve })
  })
  return { close: () => new Promise((done) => server.close(() => done())) }
}
