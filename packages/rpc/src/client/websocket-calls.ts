import { unlessAborted } from '@org/runtime'
import { closedError, transportError } from './errors.ts'
import type { RpcAnswer, RpcCall } from './transport.ts'

/** The parts of a WebSocket that the transport uses. The WebSockets of browsers and of the package `ws` have them. */
export interface WebSocketLike {
  readonly send: (text: string) => void
  readonly close: () => void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}

/** A message of the node: an answer to a call, or an event of a subscription. */
export interface ReceivedMessage {
  readonly id?: number
  readonly result?: unknown
  readonly error?: unknown
}

/** Receives a message of the node; `chars` is the length of its text in characters. */
export type Listener = (message: ReceivedMessage, chars: number) => void

/** The options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly id?: number
  /** Receives each later message that has the id of the call. For `subscribe`, these messages are events. */
  readonly then?: Listener
}

const NO_WEBSOCKET =
  'this runtime has no WebSocket (Node.js has one from version 22 on). Install the package ws and write: ' +
  "import { WebSocket } from 'ws'; createWebSocketTransport(url, { connect: (address) => new WebSocket(address) })"

/**
 * Returns the URL with `?profile=v0.38`, because the client reads only this profile. Without this parameter, a Halley
 * node may answer in another profile. Other nodes ignore the parameter.
 */
function inProfile(url: string): string {
  if (/[?&]profile=/.test(url)) return url
  return `${url}${url.includes('?') ? '&' : '?'}profile=v0.38`
}

function connectGlobal(url: string): WebSocketLike {
  if (typeof WebSocket === 'undefined') throw transportError(NO_WEBSOCKET)
  return new WebSocket(url) as unknown as WebSocketLike
}

/** Parses the text of a message of the node. Returns `undefined` if the text is not a JSON object or a JSON array. */
function parse(text: string): ReceivedMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** The calls over one WebSocket, which is opened by the first call. */
export interface WebSocketCalls {
  readonly open: () => Promise<WebSocketLike>
  /** Sends one call and waits for its answer. */
  readonly sendCall: (call: RpcCall, options?: CallOptions) => Promise<RpcAnswer>
  /** Ends a subscription. `id` is the id of the call that made it. */
  readonly unsubscribe: (query: string, id: number) => Promise<void>
  /** Aborts when the connection is closed or lost. */
  readonly lost: AbortSignal
  readonly newId: () => number
  readonly close: () => void
}

export function createCalls(url: string, connect: ((url: string) => WebSocketLike) | undefined): WebSocketCalls {
  const listeners = new Map<number, Listener>()
  const lost = new AbortController()
  let nextId = 1
  let socket: WebSocketLike | undefined
  let opening: Promise<WebSocketLike> | undefined

  function lose(): void {
    lost.abort(closedError())
    listeners.clear()
  }

  function open(): Promise<WebSocketLike> {
    if (lost.signal.aborted) return Promise.reject(closedError())
    opening ??= new Promise((resolve, reject) => {
      const newSocket = (connect ?? connectGlobal)(inProfile(url))
      socket = newSocket
      lost.signal.addEventListener('abort', () => reject(closedError()), { once: true })
      newSocket.onopen = () => resolve(newSocket)
      newSocket.onerror = () => reject(transportError(`the WebSocket to ${url} could not be opened`))
      newSocket.onclose = () => {
        reject(transportError(`the WebSocket to ${url} could not be opened`))
        lose()
      }
      newSocket.onmessage = (event: { readonly data: unknown }) => {
        const text = String(event.data)
        const message = parse(text)
        if (message === undefined) {
          // After an invalid message, no later message of this connection can be trusted.
          newSocket.close()
          lose()
        } else if (typeof message.id === 'number') listeners.get(message.id)?.(message, text.length)
      }
    })
    return opening
  }

  async function sendCall({ method, params }: RpcCall, options: CallOptions = {}): Promise<RpcAnswer> {
    const { signal, id = nextId++, then } = options
    signal?.throwIfAborted()
    const opened = await unlessAborted(open(), signal)
    lost.signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const cleanUp = (): void => {
        lost.signal.removeEventListener('abort', onLoss)
        signal?.removeEventListener('abort', onAbort)
      }
      const fail = (error: unknown): void => {
        cleanUp()
        listeners.delete(id)
        reject(error)
      }
      const onLoss = (): void => fail(closedError())
      // The answer may still arrive. It is then ignored.
      const onAbort = (): void => fail(signal?.reason)
      lost.signal.addEventListener('abort', onLoss, { once: true })
      signal?.addEventListener('abort', onAbort, { once: true })
      listeners.set(id, (message) => {
        cleanUp()
        if (then === undefined || 'error' in message) listeners.delete(id)
        else listeners.set(id, then)
        resolve('error' in message ? { error: message.error } : { result: message.result })
      })
      opened.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  async function unsubscribe(query: string, id: number): Promise<void> {
    listeners.delete(id)
    if (!lost.signal.aborted) await sendCall({ method: 'unsubscribe', params: { query } }).catch(() => undefined)
  }

  return {
    open,
    sendCall,
    unsubscribe,
    lost: lost.signal,
    newId: () => nextId++,
    close: () => {
      lose()
      socket?.close()
    },
  }
}
