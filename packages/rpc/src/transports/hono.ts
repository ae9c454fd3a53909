import { Hono } from 'hono'
import { emptyResponse } from '../call/envelope.ts'
import { bodyBytes, type HttpHandler, type HttpRequest, type HttpResponse, Input } from '../http/index.ts'
import { binaryOfText } from '../json/index.ts'

interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string; readonly remotePort?: number } }
}

function remoteAddressOf(env: unknown): string {
  const socket = (env as NodeBindings | undefined)?.incoming?.socket
  return socket?.remoteAddress === undefined ? '@' : `${socket.remoteAddress}:${socket.remotePort ?? 0}`
}

/**
 * Reads the body of a request. Returns `undefined` for a body of more than `maxBytes`: the rest of such a body is not
 * read. A client may send a body without a `Content-Length`, so only the received bytes show its length.
 */
async function readBody({ body }: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const input = new Input()
  for await (const { buffer, byteOffset, length } of (body ?? []) as AsyncIterable<Uint8Array>) {
    if (input.bytes.length + length > maxBytes) return undefined
    input.append(Buffer.from(buffer, byteOffset, length))
  }
  return input.bytes
}

/**
 * Converts a request of the fetch API to the form that the transports read. The target is the path and the query of the
 * URL.
 */
function fromFetch(request: Request, body: Uint8Array, env?: unknown): HttpRequest {
  const url = new URL(request.url)
  const headers = new Map<string, string>()
  for (const [name, value] of request.headers) headers.set(name, value)
  return {
    method: request.method,
    target: binaryOfText(`${url.pathname}${url.search}`),
    http11: true,
    headers,
    host: headers.get('host') ?? url.host,
    body,
    remoteAddress: remoteAddressOf(env),
    signal: () => request.signal,
  }
}

/** The body of an answer that is sent in pieces. */
function streamOf(write: NonNullable<HttpResponse['stream']>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let wake: () => void = () => undefined
  let isOpen = true
  return new ReadableStream({
    start: (controller) => {
      const isBehind = (): boolean => isOpen && (controller.desiredSize ?? 0) <= 0
      write({
        write: (...parts) => {
          if (!isOpen) return
          for (const part of parts)
            controller.enqueue(typeof part === 'string' ? encoder.encode(part) : new Uint8Array(part))
        },
        isOpen: () => isOpen,
        isBehind,
        drained: async () => {
          if (!isBehind()) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        },
        end: () => {
          if (isOpen) controller.close()
          isOpen = false
          wake()
        },
        destroy: () => {
          if (isOpen) controller.error(new Error('the client has stopped reading'))
          isOpen = false
          wake()
        },
      })
    },
    pull: () => wake(),
    cancel: () => {
      isOpen = false
      wake()
    },
  })
}

function toFetch(response: HttpResponse, serverTime: string, method: string): Response {
  const headers = new Headers(response.headers.entries.map(([name, value]) => [name, value]))
  if (response.early !== true) headers.set('X-Server-Time', serverTime)
  if (response.stream !== undefined && method !== 'HEAD')
    return new Response(streamOf(response.stream), { status: response.status, headers })
  const hasBody = method !== 'HEAD' && response.status !== 204 && response.status !== 304
  return new Response(hasBody ? new Uint8Array(bodyBytes(response)) : null, { status: response.status, headers })
}

export interface HonoModules {
  readonly handler: HttpHandler
  readonly maxBodyBytes: number
  readonly bodyError: (message: string) => HttpResponse
  /** Seconds since 1970. */
  readonly serverTime: () => string
}

/** The RPC as a hono app, to mount in another hono app or to run under any server with the fetch API. */
export function createHonoApp({ handler, maxBodyBytes, bodyError, serverTime }: HonoModules): Hono {
  const app = new Hono()
  app.all('*', async (context) => {
    const { raw } = context.req
    const time = serverTime()
    const announced = Number(raw.headers.get('content-length') ?? 0)
    const tooLarge = (): Response => toFetch(bodyError('http: request body too large'), time, raw.method)
    if (announced > maxBodyBytes) return tooLarge()
    const body = await readBody(raw, maxBodyBytes)
    if (body === undefined) return tooLarge()
    const answer = await handler(fromFetch(raw, body, context.env)).catch((error: unknown) => {
      // The handler drops the call of a client that has disconnected. No client reads this answer.
      if (raw.signal.aborted) return emptyResponse(400)
      throw error
    })
    // An answer of the fetch API cannot open a WebSocket. The HTTP server opens WebSockets through its own `upgrade`
    // event.
    return toFetch('upgrade' in answer ? emptyResponse(400) : answer, time, raw.method)
  })
  return app
}
