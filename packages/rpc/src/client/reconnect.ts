import { type Clock, createSystemClock } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { RPC_CLIENT_ERRORS } from './errors.ts'
import type { RpcCall, RpcEvent, RpcTransport } from './transport.ts'

/** A subscription that lives on, on another connection. */
export interface Resumption {
  readonly query: string
  /** Of the last event that came, where its data tells one. What happened since then, until now, may be missing. */
  readonly lastHeight: number | undefined
}

export interface ReconnectOptions {
  /** Between attempts, doubled up to `maxDelayMs`. Default 100. */
  readonly delayMs?: number
  /** Default 5000. */
  readonly maxDelayMs?: number
  /** Attempts in a row before the error is thrown. Default 10. */
  readonly attempts?: number
  /** A subscription was made again. */
  readonly onResume?: (resumption: Resumption) => void
  readonly clock?: Clock
}

/** Calls that may have had their effect although no answer came: they are never sent twice. */
const isRepeatable = ({ method }: RpcCall): boolean => !/^(broadcast_|dial_|unsafe_)/.test(method)

const isLost = (error: unknown): boolean =>
  isCodedError(error, RPC_CLIENT_ERRORS.closed) || isCodedError(error, RPC_CLIENT_ERRORS.transport)

interface Tall {
  readonly height?: unknown
  readonly block?: { readonly header?: Tall }
  readonly header?: Tall
  readonly TxResult?: Tall
}

/** The height that an event is about. */
export function heightOf({ data }: RpcEvent): number | undefined {
  const value = (data.value ?? {}) as Tall
  const height = value.height ?? value.block?.header?.height ?? value.header?.height ?? value.TxResult?.height
  return typeof height === 'string' || typeof height === 'number' ? Number(height) : undefined
}

/**
 * A transport that makes another one when a connection is lost: calls that only read are asked again, subscriptions are
 * made again. The error is thrown when `attempts` in a row fail, and for calls that change something.
 */
export function createReconnectingTransport(connect: () => RpcTransport, options: ReconnectOptions = {}): RpcTransport {
  const { delayMs = 100, maxDelayMs = 5000, attempts = 10, onResume } = options
  const clock = options.clock ?? createSystemClock()
  const closing = new AbortController()
  let current: RpcTransport | undefined

  function transport(): RpcTransport {
    current ??= connect()
    return current
  }

  function drop(lost: RpcTransport): void {
    if (current !== lost) return
    current = undefined
    lost.close()
  }

  /** Resolves early when the transport is closed or `signal` aborts. */
  function pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const stop = AbortSignal.any(signal === undefined ? [closing.signal] : [closing.signal, signal])
      const timer = clock.after(Math.min(maxDelayMs, delayMs * 2 ** (failures - 1)), resolve)
      stop.addEventListener(
        'abort',
        () => {
          timer.cancel()
          resolve()
        },
        { once: true },
      )
    })
  }

  const isOver = (failures: number, signal: AbortSignal | undefined): boolean =>
    failures >= attempts || closing.signal.aborted || signal?.aborted === true

  async function send(calls: readonly RpcCall[], signal?: AbortSignal) {
    for (let failures = 0; ; ) {
      const used = transport()
      try {
        return await used.send(calls, signal)
      } catch (error) {
        if (!isLost(error) || !calls.every(isRepeatable)) {
          if (isLost(error)) drop(used)
          throw error
        }
        drop(used)
        if (isOver(++failures, signal)) throw error
        await pause(failures, signal)
        if (isOver(0, signal)) throw error
      }
    }
  }

  async function* subscribe(query: string, signal?: AbortSignal): AsyncGenerator<RpcEvent> {
    let lastHeight: number | undefined
    let hadEvents = false
    for (let failures = 0; ; ) {
      const used = transport()
      try {
        if (used.subscribe === undefined) throw new TypeError('subscriptions need a WebSocket')
        for await (const event of used.subscribe(query, signal)) {
          if (hadEvents && failures > 0) onResume?.({ query, lastHeight })
          failures = 0
          hadEvents = true
          lastHeight = heightOf(event) ?? lastHeight
          yield event
        }
        return
      } catch (error) {
        if (!isLost(error)) throw error
        drop(used)
        if (isOver(++failures, signal)) throw error
        await pause(failures, signal)
        if (isOver(0, signal)) throw error
      }
    }
  }

  return {
    send,
    subscribe,
    close: () => {
      closing.abort()
      current?.close()
      current = undefined
    },
  }
}
