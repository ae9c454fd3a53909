/** A timer that has not fired. A second cancel, or a cancel after the timer has fired, has no effect. */
export interface Timer {
  readonly cancel: () => void
}

/** The only source of time. Consensus decisions never read the clock: their inputs contain the time. */
export interface Clock {
  /** Returns the nanoseconds since 1970-01-01 UTC. */
  readonly now: () => bigint
  /** Returns the milliseconds since a fixed point. The value never decreases. */
  readonly monotonic: () => number
  /** Calls `run` once after `ms` milliseconds (at least 0). */
  readonly after: (ms: number, run: () => void) => Timer
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal aborts earlier. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Implements `Clock.sleep` with a timer that `after` makes. `after` is the method of the same clock. */
export function sleepOn(after: Clock['after'], ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const onAbort = (): void => {
      timer.cancel()
      reject(signal?.reason)
    }
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
