import { RPC_CLIENT_ERRORS, RpcClientError, refusal, transportError } from './errors.ts'
import type { RpcAnswer, RpcCall, RpcEvent, RpcTransport, SubscribeOptions } from './transport.ts'

/** The parts of a WebSocket that are used: those of browsers, and of the package `ws`. */
export interface WebSocketLike {
  readonly send: (text: string) => void
  readonly close: () => void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}

export interface WebSocketTransportOptions {
  /** Makes a connection. Default: the global `WebSocket` (browsers, Node 22 and later). */
  readonly connect?: (url: string) => WebSocketLike
  /** Events that may wait for the consumer of one subscription; more end it with an error. Default 1000. */
  readonly capacity?: number
}

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly error?: unknown
}

type Listener = (message: Message) => void

const closedError = (): RpcClientError => new RpcClientError(RPC_CLIENT_ERRORS.closed, 'the connection is closed')

function connectGlobal(url: string): WebSocketLike {
  if (typeof WebSocket === 'undefined') throw transportError('there is no WebSocket here: give one by `connect`')
  return new WebSocket(url) as unknown as WebSocketLike
}

/** `undefined` if the text is no object. */
function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** One WebSocket for calls and subscriptions, opened at the first use. It does not reconnect: a new transport does. */
export function createWebSocketTransport(url: string, options: WebSocketTransportOptions = {}): RpcTransport {
  const capacity = options.capacity ?? 1000
  const listeners = new Map<number, Listener>()
  const onLost = new Set<() => void>()
  let nextId = 1
  let closed = false
  let opening: Promise<WebSocketLike> | undefined

  function lose(): void {
    closed = true
    for (const tell of [...onLost]) tell()
    onLost.clear()
    listeners.clear()
  }

  function open(): Promise<WebSocketLike> {
    if (closed) return Promise.reject(closedError())
    opening ??= new Promise((resolve, reject) => {
      const socket = (options.connect ?? connectGlobal)(url)
      socket.onopen = () => resolve(socket)
      socket.onerror = () => reject(transportError(`no connection to ${url}`))
      socket.onclose = () => {
        reject(transportError(`no connection to ${url}`))
        lose()
      }
      socket.onmessage = (event: { readonly data: unknown }) => {
        const message = parse(String(event.data))
        if (message === undefined) {
          // What else it says cannot be trusted.
          socket.close()
          lose()
        } else if (typeof message.id === 'number') listeners.get(message.id)?.(message)
      }
    })
    return opening
  }

  /** Sends one call and waits for its answer. Later messages with its id go to `then`. */
  async function ask({ method, params }: RpcCall, signal?: AbortSignal, then?: Listener): Promise<RpcAnswer> {
    signal?.throwIfAborted()
    const socket = await open()
    signal?.throwIfAborted()
    const id = nextId++
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        onLost.delete(onLoss)
        signal?.removeEventListener('abort', onAbort)
      }
      const fail = (error: unknown): void => {
        settle()
        listeners.delete(id)
        reject(error)
      }
      const onLoss = (): void => fail(closedError())
      // The answer will still come; nobody listens for it.
      const onAbort = (): void => fail(signal?.reason)
      onLost.add(onLoss)
      signal?.addEventListener('abort', onAbort, { once: true })
      listeners.set(id, (message) => {
        settle()
        if (then === undefined || 'error' in message) listeners.delete(id)
        else listeners.set(id, then)
        resolve('error' in message ? { error: message.error } : { result: message.result })
      })
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  const leave = (query: string): Promise<unknown> => ask({ method: 'unsubscribe', params: { query } })

  async function* subscribe(query: string, options: SubscribeOptions = {}): AsyncGenerator<RpcEvent> {
    const { signal, afterHeight } = options
    const waiting: RpcEvent[] = []
    let failure: unknown
    let wake: () => void = () => undefined
    const end = (error: unknown): void => {
      failure ??= error
      wake()
    }
    const onAbort = (): void => end(signal?.reason)
    const onClosed = (): void => end(closedError())
    const after = afterHeight === undefined ? {} : { after_height: String(afterHeight) }
    // Not aborted half-way: the node would go on sending.
    signal?.throwIfAborted()
    const answer = await ask({ method: 'subscribe', params: { query, ...after } }, undefined, (message) => {
      if ('error' in message) end(refusal('subscribe', message.error))
      else if (waiting.length >= capacity)
        end(new RpcClientError(RPC_CLIENT_ERRORS.overflow, `more than ${capacity} events were waiting`))
      else waiting.push(message.result as RpcEvent)
      wake()
    })
    if ('error' in answer) throw refusal('subscribe', answer.error)
    signal?.addEventListener('abort', onAbort, { once: true })
    onLost.add(onClosed)
    try {
      signal?.throwIfAborted()
      for (;;) {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) yield event
        if (failure !== undefined) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
          if (waiting.length > 0 || failure !== undefined) resolve()
        })
      }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      onLost.delete(onClosed)
      if (!closed) await leave(query).catch(() => undefined)
    }
  }

  return {
    send: (calls, signal) => Promise.all(calls.map((call) => ask(call, signal))),
    subscribe,
    close: () => {
      const last = opening
      lose()
      last?.then((socket) => socket.close()).catch(() => undefined)
    },
  }
}
