import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Forwards the connections to one port of a node. A test can cut these connections. */
export interface Relay {
  readonly port: number
  /** Ends all connections, and accepts no new connections until `heal` is called. */
  readonly cut: () => void
  readonly heal: () => void
}

/** Forwards the bytes that arrive at the relay's port to the port `target` on loopback. Ends with the test. */
export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let isCut = false
  const track = (socket: Socket, other: () => Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      other().destroy()
    })
  }
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    track(near, () => far)
    track(far, () => near)
    near.pipe(far)
    far.pipe(near)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut,
    heal: () => {
      isCut = false
    },
  }
}
