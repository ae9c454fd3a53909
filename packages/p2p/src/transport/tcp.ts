import { connect, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { joinSignals, messageOf } from '@org/runtime'
import type { ByteTransport, TransportHandlers } from './byte-transport.ts'
import { TRANSPORT_ERRORS, TransportError } from './errors.ts'

/** Makes a {@link ByteTransport} from a TCP socket. */
export function tcpTransport(socket: Socket): ByteTransport {
  let handlers: TransportHandlers | undefined
  let failure: Error | undefined
  socket.pause()
  socket.setNoDelay(true)
  socket.on('data', (data: Buffer) => handlers?.data(new Uint8Array(data.buffer, data.byteOffset, data.length)))
  socket.on('drain', () => handlers?.drain())
  socket.on('error', (error) => {
    failure = error
  })
  // The other side has ended its half of the stream and will send no more bytes. So the whole connection is closed.
  socket.on('end', () => socket.destroy())
  socket.on('close', () => handlers?.close(failure))
  const host = socket.remoteAddress ?? ''
  return {
    remoteAddress: `${isIPv6(host) ? `[${host}]` : host}:${socket.remotePort ?? 0}`,
    write: (bytes) => socket.write(bytes),
    handle: (next) => {
      handlers = next
      if (socket.closed) next.close(failure)
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  }
}

/** Dials `host:port`. Throws `TRANSPORT_DIAL` if there is no connection within `timeoutMs`, or if `signal` aborts. */
export function dialTcp(
  address: { readonly host: string; readonly port: number },
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ByteTransport> {
  const attempt = joinSignals(options.signal, AbortSignal.timeout(options.timeoutMs))
  const { signal } = attempt
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      attempt.unlink()
      socket.destroy()
      const text = messageOf(cause)
      reject(new TransportError(TRANSPORT_ERRORS.dial, `dial ${address.host}:${address.port}: ${text}`, { cause }))
    }
    const onAbort = (): void => fail(signal.reason)
    const socket = connect({ host: address.host, port: address.port })
    socket.once('error', fail)
    socket.once('connect', () => {
      attempt.unlink()
      socket.off('error', fail)
      resolve(tcpTransport(socket))
    })
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}

/** A listener for TCP connections. `port` is the real port, also if port 0 was requested. */
export interface TcpListener {
  readonly host: string
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * Listens on a host and port, and passes each connection to `accept`. Without a host it listens on all addresses.
 * Throws `TRANSPORT_LISTEN`.
 */
export function listenTcp(
  address: { readonly host: string; readonly port: number },
  accept: (transport: ByteTransport) => void,
): Promise<TcpListener> {
  const server: Server = createServer({ pauseOnConnect: true }, (socket) => accept(tcpTransport(socket)))
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const where = `${address.host}:${address.port}`
      reject(new TransportError(TRANSPORT_ERRORS.listen, `listen on ${where}: ${cause.message}`, { cause }))
    })
    server.listen(address.port, address.host === '' ? undefined : address.host, () => {
      const bound = server.address()
      const port = typeof bound === 'object' && bound !== null ? bound.port : address.port
      resolve({ host: address.host, port, close: () => new Promise((done) => server.close(() => done())) })
    })
  })
}
