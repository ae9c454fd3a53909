import type { Clock, Timer } from '@org/runtime'
import { comparePlaces } from '@org/types/consensus'
import type { Timeout } from '../machine/index.ts'

/** The one pending timeout. A new one replaces it unless the new one is for an earlier height, round or step. */
export interface Ticker {
  readonly schedule: (timeout: Timeout) => void
  /** Before this call, timeouts are stored but do not run. */
  readonly start: () => void
}

/** Creates the ticker. No timeout fires after the signal aborts. */
export function createTicker(
  clock: Pick<Clock, 'after'>,
  fire: (timeout: Timeout) => void,
  signal?: AbortSignal,
): Ticker {
  let last: Timeout | undefined
  let timer: Timer | undefined
  let isStarted = false

  function arm(timeout: Timeout): void {
    if (!isStarted || signal?.aborted === true) return
    timer?.cancel()
    timer = undefined
    // A timeout that is due fires without a timer: timers take a millisecond.
    if (timeout.duration <= 0n) fire(timeout)
    else timer = clock.after(Number(timeout.duration) / 1e6, () => fire(timeout))
  }

  signal?.addEventListener('abort', () => timer?.cancel(), { once: true })
  return {
    schedule: (timeout) => {
      if (last !== undefined && comparePlaces(timeout, last) <= 0) return
      last = timeout
      arm(timeout)
    },
    start: () => {
      if (isStarted) return
      isStarted = true
      if (last !== undefined) arm(last)
    },
  }
}
