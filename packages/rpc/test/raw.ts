import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly text: string
  readonly closed: boolean
}

/** Sends bytes on a connection of their own; gives what came until the other side closed, or was silent for `quietMs`. */
export function sendRaw(port: number, bytes: string | Uint8Array, quietMs = 150): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const finish = (closed: boolean): void => {
      socket.destroy()
      resolve({ text: Buffer.concat(parts).toString('latin1'), closed })
    }
    socket.setTimeout(quietMs, () => finish(false))
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => undefined)
    socket.on('close', () => finish(true))
  })
}

/** A connection that is open, and stays so. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}
