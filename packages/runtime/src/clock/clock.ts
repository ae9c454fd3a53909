/** A timer that has not fired. Cancelling twice, or after it fired, does nothing. */
export interface Timer {
  readonly cancel: () => void
}

/** The only source of time. Consensus decisions never read it: their inputs carry a reading. */
export interface Clock {
  /** Nanoseconds since 1970-01-01 UTC. */
  readonly now: () => bigint
  /** Milliseconds from some fixed point; never goes back. */
  readonly monotonic: () => number
  /** Calls `run` once after `ms` milliseconds (at least 0). */
  readonly after: (ms: number, run: () => void) => Timer
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** `Clock.sleep` by way of `after`. */
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
