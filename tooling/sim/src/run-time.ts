import type { Clock, Timer } from '@org/runtime'

/** How often it is looked whether the process runs. */
const TICK_MS = 500

/**
 * Calls `onOver` once this process has run for so many milliseconds. A machine that slept and a process that was stopped have done
 * nothing meanwhile: however much later a tick comes, it counts once.
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
