import { type Clock, type Random, withTimeLimit } from '@org/runtime'

export interface RetryOptions {
  /** The maximum number of milliseconds for one request. */
  readonly timeoutMs: number
  /** The maximum number of times that a request is sent. */
  readonly attempts: number
}

export interface RetryModules {
  readonly clock: Clock
  readonly random: Random
}

/**
 * Returns the pause before the next attempt, in milliseconds: 500, 2,000, 4,500 and 8,000 as in the reference, plus a
 * random number below 1,000.
 */
const backoff = (attempt: number, random: Random): number => 500 * attempt * attempt + random.below(1000)

export interface RetryRequest<T> {
  readonly send: (signal: AbortSignal) => Promise<T>
  /**
   * True for a transient error, after which the same request may succeed. The request is also sent again after every
   * time-out.
   */
  readonly isTransient: (error: unknown) => boolean
  /**
   * Receives the error of a failed attempt and the milliseconds until the next attempt, so that a program can log them.
   */
  readonly onRetry?: ((error: unknown, pauseMs: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a request, at most `attempts` times. Sends it again only after a time-out or a transient error. Rejects with
 * the last error.
 */
export async function withRetries<T>(
  { send, isTransient, onRetry, signal }: RetryRequest<T>,
  { timeoutMs, attempts }: RetryOptions,
  { clock, random }: RetryModules,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const timeout = new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')
    try {
      return await withTimeLimit({ clock, ms: timeoutMs, late: () => timeout, signal }, send)
    } catch (error) {
      signal?.throwIfAborted()
      if (attempt >= attempts || !(error === timeout || isTransient(error))) throw error
      const pauseMs = backoff(attempt, random)
      onRetry?.(error, pauseMs)
      await clock.sleep(pauseMs, signal)
    }
  }
}
