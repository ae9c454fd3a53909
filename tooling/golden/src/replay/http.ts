import { type ByteStream, EndOfStream, openStream } from './socket.ts'
import { type StoredText, storeText } from './text.ts'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: StoredText
}

/** The headers whose value changes from one answer to the next. A recording has `<present>` in place of the value. */
const PRESENT = new Set(['date', 'x-server-time'])

/** An HTTP connection that stays open between requests. It sends the given path, headers and body unchanged. */
export interface HttpConnection {
  readonly request: (request: HttpRequest) => Promise<HttpAnswer>
  readonly close: () => void
}

export function createHttpConnection(port: number, host: string): HttpConnection {
  let stream: ByteStream | undefined
  const close = (): void => {
    stream?.close()
    stream = undefined
  }

  async function attempt({ method, path, headers = {}, body }: HttpRequest): Promise<HttpAnswer> {
    stream ??= await openStream(port)
    const given = Object.entries(headers)
    const names = new Set(given.map(([name]) => name.toLowerCase()))
    if (!names.has('host')) given.unshift(['Host', host])
    if (body !== undefined && !names.has('content-length')) given.push(['Content-Length', String(body.length)])
    const head = `${method} ${path} HTTP/1.1\r\n${given.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    stream.write(body === undefined ? head : Buffer.concat([Buffer.from(head), body]))
    const [first = '', ...lines] = (await stream.until('\r\n\r\n')).toString('latin1').split('\r\n')
    const status = Number(first.split(' ')[1])
    const kept: Record<string, string> = {}
    for (const line of lines.filter((text) => text !== '')) {
      const at = line.indexOf(': ')
      const name = at < 0 ? line.replace(/:$/, '') : line.slice(0, at)
      const value = PRESENT.has(name.toLowerCase()) ? '<present>' : at < 0 ? '' : line.slice(at + 2)
      kept[name] = kept[name] === undefined ? value : `${kept[name]}, ${value}`
    }
    const lower = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]))
    const bytes =
      method === 'HEAD' || status === 204 || status === 304 ? Buffer.alloc(0) : await readBody(stream, lower)
    if (lower.connection === 'close') close()
    return { status, headers: kept, body: storeText(bytes) }
  }

  return {
    request: async (request) => {
      try {
        return await attempt(request)
      } catch (error) {
        // The server may have closed the connection since the last request. In this case, the request is sent again
        // over a new connection.
        close()
        if (!(error instanceof EndOfStream)) throw error
        return await attempt(request)
      }
    },
    close,
  }
}

async function readBody(stream: ByteStream, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks: Buffer[] = []
    for (;;) {
      const size = Number.parseInt((await stream.until('\r\n')).toString(), 16)
      chunks.push(await stream.exact(size))
      await stream.exact(2)
      if (size === 0) return Buffer.concat(chunks)
    }
  }
  const length = headers['content-length']
  if (length !== undefined) return stream.exact(Number(length))
  return (await stream.readUntilSilent(30_000)).bytes
}
