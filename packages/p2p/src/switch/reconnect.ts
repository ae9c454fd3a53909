import type { Clock, Random } from '@org/runtime'

/** The reference's steps: about two minutes at five seconds, then after 3, 9, 27 … 3^10 seconds more. */
const STEADY_ATTEMPTS = 20
const STEADY_INTERVAL_MS = 5000
const BACK_OFF_ATTEMPTS = 10
const BACK_OFF_BASE_SECONDS = 3

/**
 * Calls `attempt` at once and then after each wait, until it says that it is over, or the reference would give up: 30 times. Says
 * whether it was over. `maxMs`: the longest wait, without its jitter; 0 for the reference's. `jitterMs` is
 * more than 0.
 */
export async function reconnect(
  attempt: () => Promise<'over' | 'again'>,
  options: { readonly maxMs: number; readonly jitterMs: number; readonly signal: AbortSignal },
  modules: { readonly clock: Clock; readonly random: Random },
): Promise<boolean> {
  const wait = (ms: number): Promise<void> => {
    const planned = options.maxMs > 0 ? Math.min(ms, options.maxMs) : ms
    return modules.clock.sleep(planned + modules.random.below(options.jitterMs), options.signal)
  }
  for (let i = 0; i < STEADY_ATTEMPTS; i++) {
    if ((await attempt()) === 'over') return true
    await wait(STEADY_INTERVAL_MS)
  }
  for (let i = 1; i <= BACK_OFF_ATTEMPTS; i++) {
    await wait(BACK_OFF_BASE_SECONDS ** i * 1000)
    if ((await attempt()) === 'over') return true
  }
  return false
}
