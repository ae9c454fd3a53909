import { createHttpConnection } from './http.ts'
import { openStream, Silence } from './socket.ts'
import { bodyBytes, type StoredBody, storeText } from './text.ts'
import { openWebSocket, type WsConnection } from './websocket.ts'

export interface StoredRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: StoredBody
  readonly raw?: StoredBody
  readonly frames?: readonly StoredBody[]
  readonly opcode?: number
  readonly fresh?: boolean
  readonly noSentinel?: number
}

/** A recorded request with its recorded answer. */
export interface Exchange {
  readonly id: string
  readonly transport: 'uri' | 'jsonrpc' | 'http' | 'ws' | 'raw'
  readonly run: string
  readonly request: StoredRequest
  readonly response: Readonly<Record<string, unknown>>
}

/**
 * A request that is sent on the WebSocket after each recorded request. All messages that arrive before its answer
 * belong to the recorded request.
 */
const SENTINEL = '{"jsonrpc":"2.0","id":"__sentinel__","method":"health"}'

/**
 * Sends recorded requests to one node. The HTTP connections and the WebSocket of the sender stay open between requests.
 */
export interface Sender {
  readonly send: (exchange: Exchange) => Promise<Readonly<Record<string, unknown>>>
  readonly close: () => void
}

/**
 * Makes a sender of requests to the RPC port `port` of a node. Two kinds of requests may contain another host name: raw
 * bytes, and requests with their own header `Host`. The sender sends these requests to the port `foreignPort`, at which
 * the node accepts any host name. Default of `foreignPort`: `port`.
 */
export function createSender(port: number, host: string, foreignPort = port): Sender {
  const http = createHttpConnection(port, host)
  const foreign = createHttpConnection(foreignPort, host)
  let ws: WsConnection | undefined
  const closeWs = (): void => {
    ws?.close()
    ws = undefined
  }

  async function sendRaw(request: StoredRequest): Promise<Readonly<Record<string, unknown>>> {
    const stream = await openStream(foreignPort)
    stream.write(bodyBytes(request.raw ?? ''))
    const { bytes, closed } = await stream.readUntilSilent(1500)
    stream.close()
    const text = bytes.toString('latin1').replace(/^(X-Server-Time|Date): [^\r\n]*/gm, '$1: <present>')
    return { raw: storeText(Buffer.from(text, 'latin1')), closed }
  }

  async function sendWs(request: StoredRequest): Promise<Readonly<Record<string, unknown>>> {
    if (request.fresh === true) closeWs()
    ws ??= await openWebSocket(port, request.path ?? '/websocket')
    for (const frame of request.frames ?? []) ws.send(bodyBytes(frame), request.opcode)
    if (request.noSentinel === undefined) ws.send(Buffer.from(SENTINEL))
    const frames: unknown[] = []
    let closed: Buffer | undefined
    const timeoutMs = request.noSentinel === undefined ? 15_000 : request.noSentinel * 1000
    try {
      for (;;) {
        const message = await ws.receive(timeoutMs)
        if (message.kind === 'close') {
          closed = message.payload
          break
        }
        if (message.bytes.includes('"id":"__sentinel__"')) break
        frames.push(storeText(message.bytes))
      }
    } catch (error) {
      if (!(error instanceof Silence)) throw error
    }
    if (closed !== undefined) ws = undefined
    else if (request.fresh === true) closeWs()
    if (closed === undefined) return { frames }
    const code = closed.length >= 2 ? closed.readUInt16BE() : null
    return { frames, close: { code, reason: storeText(closed.subarray(2)) } }
  }

  return {
    send: async ({ transport, request }) => {
      if (transport === 'raw') return sendRaw(request)
      if (transport === 'ws') return sendWs(request)
      return {
        ...(await (request.headers?.Host === undefined ? http : foreign).request({
          method: request.method ?? 'GET',
          path: request.path ?? '/',
          ...(request.headers === undefined ? {} : { headers: request.headers }),
          // The recording contains `null` for a request without a body.
          ...(request.body === undefined || request.body === null ? {} : { body: bodyBytes(request.body) }),
        })),
      }
    },
    close: () => {
      http.close()
      foreign.close()
      closeWs()
    },
  }
}
