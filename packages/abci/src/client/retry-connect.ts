import { CONNECT_RETRY } from '../options.ts'
import { CONNECTION_ADVICE, warnUntilSettled } from './answer-warnings.ts'
import type { ClientModules } from './options.ts'

export interface Attempts<T> {
  readonly address: string
  /** Tries to connect once. The attempt ends soon after the signal aborts. */
  readonly attempt: () => Promise<T>
  /** Returns true if another attempt would fail in the same way. */
  readonly isFinal: (error: unknown) => boolean
  /** Returns the reason of a failure, for the log. */
  readonly reasonOf: (error: unknown) => string
}

/** Tries to connect until an attempt succeeds. Warns after each failure, and every few seconds during an attempt. */
export async function retryConnect<T>(
  { address, attempt, isFinal, reasonOf }: Attempts<T>,
  modules: ClientModules,
  signal?: AbortSignal,
): Promise<T> {
  let wait: number = CONNECT_RETRY.first
  for (;;) {
    try {
      return await warnUntilSettled(attempt(), { address, waitsFor: 'a connection' }, modules)
    } catch (error) {
      signal?.throwIfAborted()
      if (isFinal(error)) throw error
      modules.logger.warn('Cannot connect to the application, trying again', {
        address,
        retryMs: wait,
        error: reasonOf(error),
        check: CONNECTION_ADVICE,
      })
    }
    await modules.clock.sleep(wait, signal)
    wait = Math.min(wait * 2, CONNECT_RETRY.max)
  }
}
