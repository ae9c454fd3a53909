import { type Clock, sleepOn } from './clock.ts'

/** The longest wait of setTimeout, in milliseconds. A longer wait is divided into several waits. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * True if the function `process.hrtime.bigint` exists. Browsers have no `process`. A bundler may replace `process` by
 * an object without this function.
 */
const hasHrtime = typeof process === 'object' && typeof process.hrtime?.bigint === 'function'
const monotonicNanoseconds = hasHrtime
  ? () => process.hrtime.bigint()
  : () => BigInt(Math.round(performance.now() * 1e6))

/**
 * Creates a clock that shows the time of the computer in nanoseconds. The clock advances as the monotonic clock does.
 * When its difference from the wall clock becomes too large (more than 1 ms behind, or more than 2 ms ahead), it is set
 * to the time of the wall clock.
 */
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
      // Two readings are never equal, so that times that are taken one after the other keep their order.
      if (now <= last) now = last + 1n
      last = now
      return now
    },
    monotonic: () => performance.now(),
    after,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
  }
}
