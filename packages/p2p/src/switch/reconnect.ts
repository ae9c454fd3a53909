import type { Clock, Random } from '@org/runtime'

/** The reference's steps: about two minutes at five seconds, then 3, 9, 27 … 3^10 seconds. */
const STEADY_ATTEMPTS = 20
const STEADY_INTERVAL_MS = 5000
const BACK_OFF_ATTEMPTS = 10
const BACK_OFF_BASE_SECONDS = 3
export const DIAL_JITTER_MS = 3000

/** The waits between attempts to reach a peer again, without jitter. `maxMs` 0: no cap. */
export function* reconnectWaits(maxMs: number): Generator<number> {
  const cap = (ms: number): number => (maxMs > 0 ? Math.min(ms, maxMs) : ms)
  for (let i = 0; i < STEADY_ATTEMPTS; i++) yield cap(STEADY_INTERVAL_MS)
  for (let i = 1; i <= BACK_OFF_ATTEMPTS; i++) yield cap(BACK_OFF_BASE_SECONDS ** i * 1000)
}

/**
 * Calls `attempt` at once and then after each wait, until it says that it is over, or the waits end. Says whether it was over.
 */
export async function reconnect(
  attempt: () => Promise<'over' | 'again'>,
  options: { readonly maxMs: number; readonly signal: AbortSignal },
  modules: { readonly clock: Clock; readonly random: Random },
): Promise<boolean> {
  if ((await attempt()) === 'over') return true
  for (const wait of reconnectWaits(options.maxMs)) {
    await modules.clock.sleep(wait + modules.random.below(DIAL_JITTER_MS), options.signal)
    if ((await attempt()) === 'over') return true
  }
  return false
}
