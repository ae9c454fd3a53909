import { connect, type Socket } from 'node:net'

/** A TCP connection from which the caller reads bytes in pieces of its choice. */
export interface ByteStream {
  readonly write: (bytes: Uint8Array | string) => void
  /**
   * Reads exactly `length` bytes. Throws `EndOfStream` if the connection ends first, and `Silence` if nothing arrives
   * for `timeoutMs`.
   */
  readonly exact: (length: number, timeoutMs?: number) => Promise<Buffer>
  /** Reads all bytes up to and including `mark`. */
  readonly until: (mark: string, timeoutMs?: number) => Promise<Buffer>
  /** Reads all bytes until the connection ends, or until nothing arrives for `silenceMs`. */
  readonly readUntilSilent: (silenceMs: number) => Promise<{ readonly bytes: Buffer; readonly closed: boolean }>
  readonly close: () => void
}

export class EndOfStream extends Error {}
export class Silence extends Error {}

export async function openStream(port: number): Promise<ByteStream> {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let buffer: Buffer = Buffer.alloc(0)
  let ended = false
  let wake: (() => void) | undefined
  const changed = (): void => {
    wake?.()
    wake = undefined
  }
  socket.on('data', (data: Buffer) => {
    buffer = buffer.length === 0 ? data : Buffer.concat([buffer, data])
    changed()
  })
  // A reset of the connection counts as its normal end, because all bytes before the reset were read.
  const end = (): void => {
    ended = true
    changed()
  }
  socket.on('end', end).on('close', end).on('error', end)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve())
    socket.once('error', reject)
  })

  async function more(timeoutMs: number): Promise<void> {
    if (ended) throw new EndOfStream()
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve, reject) => {
      wake = resolve
      timer = setTimeout(() => reject(new Silence(`nothing came for ${timeoutMs} ms`)), timeoutMs)
    }).finally(() => clearTimeout(timer))
  }

  function cut(length: number): Buffer {
    const head = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    return head
  }

  return {
    write: (bytes) => void socket.write(bytes),
    exact: async (length, timeoutMs = 30_000) => {
      while (buffer.length < length) await more(timeoutMs)
      return cut(length)
    },
    until: async (mark, timeoutMs = 30_000) => {
      let at = buffer.indexOf(mark)
      while (at < 0) {
        await more(timeoutMs)
        at = buffer.indexOf(mark)
      }
      return cut(at + mark.length)
    },
    readUntilSilent: async (silenceMs) => {
      try {
        for (;;) await more(silenceMs)
      } catch {
        return { bytes: cut(buffer.length), closed: ended }
      }
    },
    close: () => void socket.destroy(),
  }
}
