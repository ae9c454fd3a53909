import { type Clock, createSystemClock, joinSignals } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { createChainMark } from './chain-mark.ts'
import { closedError, needsWebSocket, RPC_CLIENT_ERRORS } from './errors.ts'
import { createProgress, heightOf } from './resumption.ts'
import type { RpcCall, RpcEvent, RpcTransport, SubscribeOptions } from './transport.ts'

/** A subscription that continues on another connection. */
export interface Resumption {
  readonly query: string
  /**
   * The height of the last received event. A Halley node continues after this height, so no event is missing. Other
   * nodes ignore `after_height` and send only new events, so events may be missing.
   */
  readonly lastHeight: number | undefined
}

/** The options of {@link createReconnectingTransport}. */
export interface ReconnectOptions {
  /**
   * The delay after the first failed attempt to reach a node, in milliseconds. The delay doubles after each further
   * failure, up to `maxDelayMs`. Default: 100.
   */
  readonly delayMs?: number
  /** The longest delay between two attempts, in milliseconds. Default 5000. */
  readonly maxDelayMs?: number
  /**
   * The number of failed attempts in a row after which the caller receives the error of the last attempt. Default 10.
   */
  readonly attempts?: number
  /**
   * True (default): a subscription continues after the last event that it received, and fails if the node cannot send
   * the missed events. False: it continues with new events only.
   */
  readonly resume?: boolean
  /**
   * Called when a subscription was made again on a new connection, and its first event has arrived. Not called if the
   * subscription had received no event with a height before the connection was lost.
   */
  readonly onResume?: (resumption: Resumption) => void
  readonly clock?: Clock
}

/**
 * True if a call may be repeated. After a lost connection, a call that changes something may have had its effect
 * although no answer arrived, so the transport never sends it twice.
 */
const isRepeatable = ({ method }: RpcCall): boolean =>
  !/^(broadcast_|dial_|unsafe_|dev_|advance_|cause_|set_)/.test(method)

const isLost = (error: unknown): boolean =>
  isCodedError(error, RPC_CLIENT_ERRORS.closed) || isCodedError(error, RPC_CLIENT_ERRORS.transport)

/**
 * A transport that makes a new connection when a connection is lost. It repeats calls that only read, and continues
 * subscriptions after the last event. The caller receives an error in three cases: `attempts` attempts in a row failed,
 * the connection was lost during a call that changes something, or a node cannot send the missed events again.
 */
export function createReconnectingTransport(connect: () => RpcTransport, options: ReconnectOptions = {}): RpcTransport {
  const { delayMs = 100, maxDelayMs = 5000, attempts = 10, resume = true, onResume } = options
  const clock = options.clock ?? createSystemClock()
  const closing = new AbortController()
  let current: RpcTransport | undefined

  function transport(): RpcTransport {
    if (closing.signal.aborted) throw closedError()
    current ??= connect()
    return current
  }

  function drop(lost: RpcTransport): void {
    if (current !== lost) return
    current = undefined
    lost.close()
  }

  /** Waits for the next attempt. Throws if no attempt is left, if `signal` aborts or if the transport closes. */
  async function waitForRetry(failures: number, error: unknown, signal: AbortSignal | undefined): Promise<void> {
    if (failures < attempts && signal?.aborted !== true) {
      const ms = Math.min(maxDelayMs, delayMs * 2 ** (failures - 1))
      // An abort of `signal` or `closing` ends the pause early. The lines after this `if` then throw an error.
      const pause = joinSignals(closing.signal, signal)
      await clock.sleep(ms, pause.signal).catch(() => undefined)
      pause.unlink()
    }
    signal?.throwIfAborted()
    if (failures >= attempts || closing.signal.aborted) throw error
  }

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
        await waitForRetry(++failures, error, signal)
      }
    }
  }

  async function* subscribe(query: string, subscribed: SubscribeOptions = {}): AsyncGenerator<RpcEvent> {
    const { signal } = subscribed
    const progress = createProgress(subscribed.afterHeight)
    const mark = createChainMark(subscribed.chainId)
    let isResumed = false
    for (let failures = 0; ; ) {
      const used = transport()
      try {
        if (used.subscribe === undefined) throw needsWebSocket()
        const afterHeight = resume || !isResumed ? progress.afterHeight() : undefined
        if (resume) await mark.check(used, afterHeight, signal)
        const chainId = mark.chainId()
        const blockHash = progress.lastHeight() === undefined ? subscribed.blockHash : undefined
        const given = {
          ...(signal === undefined ? {} : { signal }),
          ...(afterHeight === undefined ? {} : { afterHeight }),
          ...(afterHeight === undefined || chainId === undefined ? {} : { chainId }),
          ...(afterHeight === undefined || blockHash === undefined ? {} : { blockHash }),
        }
        for await (const event of used.subscribe(query, given)) {
          if (isResumed) onResume?.({ query, lastHeight: progress.lastHeight() })
          isResumed = false
          failures = 0
          if (progress.isNew(event)) yield event
          const height = heightOf(event)
          if (resume && height !== undefined) await mark.follow(used, height, signal)
        }
        return
      } catch (error) {
        if (!isLost(error)) throw error
        drop(used)
        await waitForRetry(++failures, error, signal)
        isResumed = progress.lastHeight() !== undefined
        progress.restart()
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
