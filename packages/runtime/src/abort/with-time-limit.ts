import type { Clock } from '../clock/index.ts'
import { joinSignals } from './join-signals.ts'
import { unlessAborted } from './unless-aborted.ts'

/** The limit of {@link withTimeLimit}: `ms` milliseconds of the clock. */
export interface TimeLimit {
  readonly clock: Clock
  readonly ms: number
  /** Makes the error that {@link withTimeLimit} throws when the time is over. */
  readonly late: () => unknown
  /** A signal of the caller, which can end the work before the time is over. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls the function `run` with a signal, and settles as the promise of `run` does. The signal of `run` aborts when the
 * time is over, or when the caller's `signal` aborts. This function then rejects with the reason of the abort.
 */
export async function withTimeLimit<T>(
  { clock, ms, late, signal }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = joinSignals(signal)
  const timer = clock.after(ms, () => limit.abort(late()))
  try {
    return await unlessAborted(run(limit.signal), limit.signal)
  } finally {
    timer.cancel()
    limit.unlink()
  }
}
