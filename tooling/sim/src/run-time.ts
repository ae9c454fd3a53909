import type { Clock, Timer } from '@org/runtime'

/** The interval in milliseconds at which the running time is counted. */
const TICK_MS = 500

/**
 * Calls `onOver` when this process has run for `ms` milliseconds. The time in which the machine sleeps or the process
 * is stopped does not count: the timer fires only once after such a pause, and this counts as one interval.
 */
export function afterRunning(ms: number, clock: Pick<Clock, 'after'>, onOver: () => void): Timer {
  let left = ms
  let timer = clock.after(Math.min(left, TICK_MS), tick)

  function tick(): void {
    left -= TICK_MS
    if (left <= 0) onOver()
    else timer = clock.after(Math.min(left, TICK_MS), tick)
  }

  return { cancel: () => timer.cancel() }
}
