import type { Clock } from './clock.ts'

interface Repetition {
  readonly everyMs: number
  readonly run: () => void
  /** The signal that ends the repetition. */
  readonly signal: AbortSignal
}

/**
 * Calls `run` after each `everyMs` milliseconds until the signal aborts. The timer for the next call starts before
 * `run` is called.
 */
export function repeat(clock: Pick<Clock, 'after'>, { everyMs, run, signal }: Repetition): void {
  if (signal.aborted) return
  const next = () =>
    clock.after(everyMs, () => {
      timer = next()
      run()
    })
  let timer = next()
  signal.addEventListener('abort', () => timer.cancel(), { once: true })
}
