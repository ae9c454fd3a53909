import { type Clock, sleepOn } from './clock.ts'

/** setTimeout takes at most 2^31 - 1 ms; a longer wait fires early and waits again. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Browsers have no `process`, and bundlers may replace it by an incomplete one. */
const hasHrtime = typeof process === 'object' && typeof process.hrtime?.bigint === 'function'
const monotonicNanoseconds = hasHrtime
  ? () => process.hrtime.bigint()
  : () => BigInt(Math.round(performance.now() * 1e6))

/** The machine's clock: nanosecond steps from the monotonic clock, set to the wall clock at each read that drifts by over 1 ms. */
export function createSystemClock(): Clock {
  let wallBase = BigInt(Date.now()) * 1_000_000n
  let monotonicBase = monotonicNanoseconds()
  let last = 0n
  const after: Clock['after'] = (ms, run) => {
    const arm = (left: number): NodeJS.Timeout =>
      left > MAX_TIMEOUT_MS
        ? setTimeout(() => {
            handle = arm(left - MAX_TIMEOUT_MS)
          }, MAX_TIMEOUT_MS)
        : setTimeout(run, Math.max(0, left))
    let handle = arm(ms)
    return { cancel: () => clearTimeout(handle) }
  }
  return {
    now: () => {
      const wall = BigInt(Date.now()) * 1_000_000n
      let now = wallBase + (monotonicNanoseconds() - monotonicBase)
      const drift = now - wall
      if (drift < -1_000_000n || drift > 2_000_000n) {
        wallBase = wall
        monotonicBase = monotonicNanoseconds()
        now = wall
        last = 0n
      }
      // Two reads are never equal, so that times taken one after the other keep their order.
      if (now <= last) now = last + 1n
      last = now
      return now
    },
    monotonic: () => performance.now(),
    after,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
  }
}
