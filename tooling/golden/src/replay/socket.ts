import { connect, type Socket } from 'node:net'

/** A TCP connection that is read piece by piece. */
export interface ByteStream {
  readonly write: (bytes: Uint8Array | string) => void
  /** Reads exactly `length` bytes; throws `EndOfStream` at the end, `Silence` if nothing comes for `timeoutMs`. */
  readonly exact: (length: number, timeoutMs?: number) => Promise<Buffer>
  /** Reads everything up to `mark`, inclusive. */
  readonly until: (mark: string, timeoutMs?: number) => Promise<Buffer>
  /** Reads everything up to the end, or until nothing comes for `silenceMs`. */
  readonly rest: (silenceMs: number) => Promise<{ readonly bytes: Buffer; readonly closed: boolean }>
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
  // A reset ends the stream like a close; the bytes before it were read.
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
    rest: async (silenceMs) => {
      try {
        for (;;) await more(silenceMs)
      } catch {
        return { bytes: cut(buffer.length), closed: ended }
      }
    },
    close: () => void socket.destroy(),
  }
}
