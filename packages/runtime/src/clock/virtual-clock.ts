import { type Clock, sleepOn } from './clock.ts'

/** A clock for tests and simulations. Its time changes only when the program advances it. */
export interface VirtualClock extends Clock {
  /**
   * Fires the timers that are due within the next `ms` milliseconds, in the order of their times. Timers with the same
   * time fire in the order of their creation.
   */
  readonly advance: (ms: number) => void
  /** Advances to the next timer and fires it. Returns false if no timer waits. */
  readonly next: () => boolean
  /** Returns the number of timers that wait. */
  readonly pending: () => number
}

interface Entry {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Creates a clock that advances only on request. `start` is in nanoseconds since 1970. */
export function createVirtualClock(start: bigint = 1_700_000_000_000_000_000n): VirtualClock {
  let elapsed = 0
  let order = 0
  let entries: Entry[] = []
  const after: Clock['after'] = (ms, run) => {
    const entry = { at: elapsed + Math.max(0, ms), order: order++, run }
    entries.push(entry)
    return {
      cancel: () => {
        entries = entries.filter((other) => other !== entry)
      },
    }
  }
  const earliest = (): Entry | undefined =>
    entries.reduce<Entry | undefined>((best, entry) => {
      if (best === undefined) return entry
      return entry.at < best.at || (entry.at === best.at && entry.order < best.order) ? entry : best
    }, undefined)
  const fire = (entry: Entry): void => {
    entries = entries.filter((other) => other !== entry)
    elapsed = entry.at
    entry.run()
  }
  return {
    now: () => start + BigInt(Math.round(elapsed * 1_000_000)),
    monotonic: () => elapsed,
    after,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
    advance: (ms) => {
      const stop = elapsed + ms
      for (let entry = earliest(); entry !== undefined && entry.at <= stop; entry = earliest()) fire(entry)
      elapsed = stop
    },
    next: () => {
      const entry = earliest()
      if (entry !== undefined) fire(entry)
      return entry !== undefined
    },
    pending: () => entries.length,
  }
}
