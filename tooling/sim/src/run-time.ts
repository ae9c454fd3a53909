import type { Clock, Timer } from '@org/runtime'

/** The interval in milliseconds at which the running time is counted. */
const TICK_MS = 500

/**
 * Calls `onOver` when this process has run for `ms` milliseconds. A timer fires at intervals of `TICK_MS`, and each
 * firing counts as one interval of running time. The machine may sleep, or the process may be stopped, for many
 * intervals. After such a pause the timer fires only once, so a pause counts as one interval.
 */
export function afterRunning(ms: number, clock: Pick<Clock, 'after'>, onOver: () => void): Timer {
  let remainingMs = ms
  let timer = clock.after(Math.min(remainingMs, TICK_MS), tick)

  function tick(): void {
    remainingMs -= TICK_MS
    if (remainingMs <= 0) onOver()
    else timer = clock.after(Math.min(remainingMs, TICK_MS), tick)
  }

  return { cancel: () => timer.cancel() }
}
