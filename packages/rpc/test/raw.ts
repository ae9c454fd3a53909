import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly text: string
  readonly closed: boolean
}

/** Silence behind the first bytes of an answer that ends it. */
const QUIET_MS = 150
/** Silence that ends an answer of which nothing has come, or which is not complete. */
const PATIENCE_MS = 10_000

/**
 * Sends bytes on a connection of its own. Returns what came until the other side closed, or until the answer was over: by default when
 * something had come and then nothing more; with a function when the function says so; with a number after so many milliseconds of
 * silence, whether something had come or not.
 */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  end?: number | ((text: string) => boolean),
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    const textOf = (): string => Buffer.concat(parts).toString('latin1')
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const finish = (closed: boolean): void => {
      socket.destroy()
      resolve({ text: textOf(), closed })
    }
    socket.setTimeout(typeof end === 'number' ? end : PATIENCE_MS, () => finish(false))
    socket.on('data', (part) => {
      parts.push(part)
      if (end === undefined) socket.setTimeout(QUIET_MS)
      else if (typeof end === 'function' && end(textOf())) finish(false)
    })
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
