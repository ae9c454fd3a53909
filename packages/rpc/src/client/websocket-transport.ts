import { unlessAborted } from '@org/runtime'
import { closedError, RPC_CLIENT_ERRORS, RpcClientError, refusal } from './errors.ts'
import { eventOf, wrongEvent } from './received-event.ts'
import type { RpcEvent, RpcTransport, SubscribeOptions } from './transport.ts'
import { createCalls, type Listener, type WebSocketLike } from './websocket-calls.ts'

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

const overflow = (waiting: number): RpcClientError =>
  new RpcClientError(
    RPC_CLIENT_ERRORS.overflow,
    `the queue of the subscription is full: ${waiting} events were waiting; read the events faster`,
  )

/**
 * One WebSocket for calls and subscriptions, opened at the first use. It does not reconnect: make a new transport for
 * that.
 */
export function createWebSocketTransport(url: string, options: WebSocketTransportOptions = {}): RpcTransport {
  const { capacity = 1000, capacityChars = 64 << 20 } = options
  const { open, sendCall, unsubscribe, lost, newId, close } = createCalls(url, options.connect)
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
      // After a failure, events may be missing. All later events are dropped too, because the consumer would not notice
      // the gap before them.
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
    const answered = sendCall({ method: 'subscribe', params: { query, ...after } }, { id, then })
    const answer = await unlessAborted(answered, signal).catch((error: unknown) => {
      // The caller has stopped waiting, but the node may still accept the subscription. If the node accepts it, the
      // client ends the subscription at once.
      answered.then((late) => ('result' in late ? unsubscribe(query, id) : undefined)).catch(() => undefined)
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
      const unsubscribed = unsubscribe(query, id)
      // After an abort, the caller does not wait for the answer to `unsubscribe`, because the node may not answer.
      if (failure === undefined) await unsubscribed
    }
  }

  return {
    send: (calls, signal) => Promise.all(calls.map((call) => sendCall(call, { signal }))),
    subscribe,
    close,
  }
}
