import { unlessAborted } from '@org/runtime'
import { closedError, RPC_CLIENT_ERRORS, RpcClientError, refusal, transportError } from './errors.ts'
import { eventOf, wrongEvent } from './received-event.ts'
import type { RpcAnswer, RpcCall, RpcEvent, RpcTransport, SubscribeOptions } from './transport.ts'

/** The parts of a WebSocket that the transport uses. The WebSockets of browsers and of the package `ws` have them. */
export interface WebSocketLike {
  readonly send: (text: string) => void
  readonly close: () => void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}

/** The options of {@link createWebSocketTransport}. */
export interface WebSocketTransportOptions {
  /** Makes a connection. Default: the global `WebSocket` (browsers, Node 22 and later). */
  readonly connect?: (url: string) => WebSocketLike
  /**
   * The maximum number of events that wait for the consumer of one subscription. If one more event comes, the
   * subscription ends. Default 1000.
   */
  readonly capacity?: number
  /**
   * The maximum number of characters of the events that wait for the consumer of one subscription. An event that waits
   * alone may be longer. Default: 67,108,864.
   */
  readonly capacityChars?: number
}

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly error?: unknown
}

/** Receives a message of the node; `chars` is the length of its text in characters. */
type Listener = (message: Message, chars: number) => void

interface Asking {
  readonly signal?: AbortSignal | undefined
  readonly id?: number
  /** Receives the messages that have the id of the call and come after its answer. */
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

/** Returns `undefined` if the text is not a JSON object. */
function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const overflow = (waiting: number): RpcClientError =>
  new RpcClientError(
    RPC_CLIENT_ERRORS.overflow,
    `the queue of the subscription is full: ${waiting} events were waiting; read the events faster`,
  )

/** The calls over one WebSocket, which is opened by the first call. */
function createCalls(url: string, connect: WebSocketTransportOptions['connect']) {
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
      const made = (connect ?? connectGlobal)(inProfile(url))
      socket = made
      lost.signal.addEventListener('abort', () => reject(closedError()), { once: true })
      made.onopen = () => resolve(made)
      made.onerror = () => reject(transportError(`the WebSocket to ${url} could not be opened`))
      made.onclose = () => {
        reject(transportError(`the WebSocket to ${url} could not be opened`))
        lose()
      }
      made.onmessage = (event: { readonly data: unknown }) => {
        const text = String(event.data)
        const message = parse(text)
        if (message === undefined) {
          // After an invalid message, no later message of this connection can be trusted.
          made.close()
          lose()
        } else if (typeof message.id === 'number') listeners.get(message.id)?.(message, text.length)
      }
    })
    return opening
  }

  /** Sends one call and waits for its answer. */
  async function ask({ method, params }: RpcCall, asking: Asking = {}): Promise<RpcAnswer> {
    const { signal, id = nextId++, then } = asking
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

  async function leave(query: string, id: number): Promise<void> {
    listeners.delete(id)
    if (!lost.signal.aborted) await ask({ method: 'unsubscribe', params: { query } }).catch(() => undefined)
  }

  return {
    open,
    ask,
    leave,
    lost: lost.signal,
    newId: () => nextId++,
    close: () => {
      lose()
      socket?.close()
    },
  }
}

/**
 * One WebSocket for calls and subscriptions, opened at the first use. It does not reconnect: make a new transport for
 * that.
 */
export function createWebSocketTransport(url: string, options: WebSocketTransportOptions = {}): RpcTransport {
  const { capacity = 1000, capacityChars = 64 << 20 } = options
  const { open, ask, leave, lost, newId, close } = createCalls(url, options.connect)
  async function* subscribe(query: string, options: SubscribeOptions = {}): AsyncGenerator<RpcEvent> {
    const { signal, afterHeight, chainId, blockHash } = options
    const waiting: { readonly event: RpcEvent; readonly chars: number }[] = []
    let waitingChars = 0
    let failure: unknown
    let wake: () => void = () => undefined
    const end = (error: unknown): void => {
      failure ??= error
      wake()
    }
    const onAbort = (): void => end(signal?.reason)
    const onClosed = (): void => end(closedError())
    const after = {
      ...(afterHeight === undefined ? {} : { after_height: String(afterHeight) }),
      ...(chainId === undefined ? {} : { chain_id: chainId }),
      ...(blockHash === undefined ? {} : { block_hash: blockHash }),
    }
    signal?.throwIfAborted()
    await unlessAborted(open(), signal)
    const id = newId()
    const then: Listener = (message, chars) => {
      // Events may have been dropped after a failure. If this event were passed on, the consumer would not notice the
      // gap before it.
      if (failure !== undefined) return
      const event = 'error' in message ? undefined : eventOf(message.result)
      const isFull = waiting.length >= capacity || (waiting.length > 0 && waitingChars + chars > capacityChars)
      if ('error' in message) end(refusal('subscribe', message.error))
      else if (event === undefined) end(wrongEvent())
      else if (isFull) end(overflow(waiting.length))
      else {
        waiting.push({ event, chars })
        waitingChars += chars
      }
      wake()
    }
    const answered = ask({ method: 'subscribe', params: { query, ...after } }, { id, then })
    const answer = await unlessAborted(answered, signal).catch((error: unknown) => {
      // The caller no longer waits, but the node may still accept the subscription. Then the subscription is ended at
      // once.
      answered.then((late) => ('result' in late ? leave(query, id) : undefined)).catch(() => undefined)
      throw error
    })
    if ('error' in answer) throw refusal('subscribe', answer.error)
    signal?.addEventListener('abort', onAbort, { once: true })
    lost.addEventListener('abort', onClosed, { once: true })
    try {
      signal?.throwIfAborted()
      for (;;) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          waitingChars -= next.chars
          yield next.event
        }
        if (failure !== undefined) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
          if (waiting.length > 0 || failure !== undefined) resolve()
        })
      }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      lost.removeEventListener('abort', onClosed)
      const left = leave(query, id)
      // An abort must not wait for a node that does not answer.
      if (failure === undefined) await left
    }
  }

  return {
    send: (calls, signal) => Promise.all(calls.map((call) => ask(call, { signal }))),
    subscribe,
    close,
  }
}
