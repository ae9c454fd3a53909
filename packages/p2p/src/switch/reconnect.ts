import type { Clock, Random } from '@org/runtime'

/** The waits of the reference: every five seconds for about two minutes, then 3, 9, 27 … 3^10 seconds. */
const STEADY_ATTEMPTS = 20
const STEADY_INTERVAL_MS = 5000
const BACK_OFF_ATTEMPTS = 10
const BACK_OFF_BASE_SECONDS = 3

/**
 * Calls `attempt` at once and then after each wait, until it resolves with true, or until the reference would give up:
 * after 30 attempts, about a day. Resolves with true if an attempt did. `maxMs` is the longest wait, without its
 * jitter. A longer wait is divided into several waits with an attempt after each, so that the last attempt is not
 * earlier. A `maxMs` of 0 keeps the reference's waits. `jitterMs` is more than 0.
 */
export async function reconnect(
  attempt: () => Promise<'over' | 'again'>,
  options: { readonly maxMs: number; readonly jitterMs: number; readonly signal: AbortSignal },
  modules: { readonly clock: Clock; readonly random: Random },
): Promise<boolean> {
  async function sleep(ms: number): Promise<number> {
    const slept = ms + modules.random.below(options.jitterMs)
    await modules.clock.sleep(slept, options.signal)
    return slept
  }

  /**
   * Waits. If the wait is longer than the maximum, it is divided, and an attempt is made after each piece except the
   * last.
   */
  async function wait(ms: number): Promise<'over' | 'again'> {
    let left = ms
    while (options.maxMs > 0 && left > options.maxMs) {
      left -= await sleep(options.maxMs)
      if ((await attempt()) === 'over') return 'over'
    }
    await sleep(Math.max(0, left))
    return 'again'
  }

  for (let i = 0; i < STEADY_ATTEMPTS; i++) {
    if ((await attempt()) === 'over' || (await wait(STEADY_INTERVAL_MS)) === 'over') return true
  }
  for (let i = 1; i <= BACK_OFF_ATTEMPTS; i++) {
    if ((await wait(BACK_OFF_BASE_SECONDS ** i * 1000)) === 'over' || (await attempt()) === 'over') return true
  }
  return false
}
