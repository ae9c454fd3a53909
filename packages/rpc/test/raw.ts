import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly text: string
  readonly closed: boolean
}

/** Milliseconds of silence after which an answer that has begun counts as complete. */
const QUIET_MS = 150
/**
 * Milliseconds of silence after which the test stops waiting for an answer that has not begun, or that is known to be
 * incomplete.
 */
const RESPONSE_TIMEOUT_MS = 10_000

/**
 * Sends bytes on a new connection. Resolves with the received text when the server closes the connection, or when the
 * answer is complete.
 *
 * The parameter `end` decides when the answer is complete:
 * - If `end` is missing: the answer has begun, and nothing more was received for {@link QUIET_MS}.
 * - If `end` is a function: it returns true for the received text.
 * - If `end` is a number: nothing was received for this number of milliseconds, even if no answer has begun.
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
    socket.setTimeout(typeof end === 'number' ? end : RESPONSE_TIMEOUT_MS, () => finish(false))
    socket.on('data', (part) => {
      parts.push(part)
      if (end === undefined) socket.setTimeout(QUIET_MS)
      else if (typeof end === 'function' && end(textOf())) finish(false)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => finish(true))
  })
}

/** A connection that stays open. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}
