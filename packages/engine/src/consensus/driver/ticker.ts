import type { Clock, Timer } from '@org/runtime'
import { compareConsensusPositions } from '@org/types'
import type { Timeout } from '../machine/index.ts'

/**
 * The one pending timeout of consensus. A new timeout replaces it if the new one is for a later height, round or step.
 * Any other new timeout is ignored.
 */
export interface Ticker {
  readonly schedule: (timeout: Timeout) => void
  /** Begins to run timeouts. A timeout that was scheduled before this call runs from this call on. */
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
    // A timer takes at least a millisecond. So a timeout with a duration of 0 or less fires without a timer.
    if (timeout.duration <= 0n) fire(timeout)
    else timer = clock.after(Number(timeout.duration) / 1e6, () => fire(timeout))
  }

  signal?.addEventListener('abort', () => timer?.cancel(), { once: true })
  return {
    schedule: (timeout) => {
      if (last !== undefined && compareConsensusPositions(timeout, last) <= 0) return
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
