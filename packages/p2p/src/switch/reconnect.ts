import type { Clock, Random } from '@org/runtime'

/**
 * The waits of the reference: five seconds after each of 20 attempts, and then 3, 9, 27 … 3^10 seconds before further
 * attempts.
 */
const STEADY_ATTEMPTS = 20
const STEADY_INTERVAL_MS = 5000
const BACK_OFF_ATTEMPTS = 10
const BACK_OFF_BASE_SECONDS = 3

/**
 * Calls `attempt` immediately, and again after the waits that the constants above define. Resolves with true when an
 * attempt returns `done`. Resolves with false after the last attempt, when about a day has passed.
 *
 * A wait that is longer than `maxMs` is divided into pieces of at most `maxMs`. Between two pieces, `attempt` is called
 * too. All pieces together take at least as long as the wait, so this node does not give up before the reference does.
 * If `maxMs` is 0, no wait is divided.
 *
 * A random time below `jitterMs` is added to each piece, and to each wait that is not divided. `jitterMs` must be more
 * than 0.
 */
export async function reconnect(
  attempt: () => Promise<'done' | 'retry'>,
  options: { readonly maxMs: number; readonly jitterMs: number; readonly signal: AbortSignal },
  modules: { readonly clock: Clock; readonly random: Random },
): Promise<boolean> {
  async function sleep(ms: number): Promise<number> {
    const slept = ms + modules.random.below(options.jitterMs)
    await modules.clock.sleep(slept, options.signal)
    return slept
  }

  /**
   * Waits for `ms` milliseconds. If `ms` is more than `maxMs`, divides the wait into pieces, and calls `attempt`
   * between two pieces. Returns `done` as soon as one of these attempts returns `done`.
   */
  async function wait(ms: number): Promise<'done' | 'retry'> {
    let remainingMs = ms
    while (options.maxMs > 0 && remainingMs > options.maxMs) {
      remainingMs -= await sleep(options.maxMs)
      if ((await attempt()) === 'done') return 'done'
    }
    await sleep(Math.max(0, remainingMs))
    return 'retry'
  }

  for (let i = 0; i < STEADY_ATTEMPTS; i++) {
    if ((await attempt()) === 'done' || (await wait(STEADY_INTERVAL_MS)) === 'done') return true
  }
  for (let i = 1; i <= BACK_OFF_ATTEMPTS; i++) {
    if ((await wait(BACK_OFF_BASE_SECONDS ** i * 1000)) === 'done' || (await attempt()) === 'done') return true
  }
  return false
}
