import { LIGHT_ERRORS, type LightClient, LightError, type Provider } from '@org/light'
import type { Clock } from '@org/runtime'

/** A primary is slow if each of its last `ANSWERS` answers took longer than `SLOW_MS`. */
const [ANSWERS, SLOW_MS] = [5, 1000]
/**
 * A slow primary is replaced if a witness is much faster. The best time of the primary is the shortest time of its last
 * `ANSWERS` answers. A witness is much faster if its last answer took at most this fraction of the best time.
 */
const MUCH_FASTER = 1 / 4

export interface SlowPrimaryModules {
  readonly clock: Clock
  /** Returns the primary and the witnesses that are used now; `undefined` before the light client exists. */
  readonly present: () => ReturnType<LightClient['providers']> | undefined
}

interface Measured {
  readonly name: string
  /** The times of the last measured answers in milliseconds, the latest one at the end. */
  readonly times: number[]
}

/**
 * Returns the shortest of the last `ANSWERS` times if the node is slow: each of these times is longer than `SLOW_MS`.
 * Returns `undefined` if the node is not slow, or if there are fewer than `ANSWERS` times.
 */
function slowTime(times: readonly number[]): number | undefined {
  const best = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
  return times.length >= ANSWERS && best > SLOW_MS ? best : undefined
}

/**
 * Measures how fast the nodes answer, so that the light client replaces a slow primary. The reference does not replace
 * a primary that is slow but answers each request within the time limit.
 *
 * If the primary is slow and a witness is much faster, the light client's next request for the latest block is refused:
 * the light client gets an error, and the primary gets no request. The light client then asks all witnesses for their
 * latest blocks. The witness that answers first becomes the primary, and the old primary becomes the last witness.
 *
 * A request for the block of a given height is never refused, because a witness may not have this block yet.
 */
export function replacingSlowPrimary(
  providers: readonly Provider[],
  { clock, present }: SlowPrimaryModules,
): readonly Provider[] {
  const measured = new WeakMap<Provider, Measured>()

  function refuseIfSlow({ name: provider, times }: Measured, witnesses: readonly Provider[]): void {
    const slow = slowTime(times)
    if (slow === undefined) return
    const isFaster = (other: Provider): boolean => (measured.get(other)?.times.at(-1) ?? slow) <= slow * MUCH_FASTER
    // A witness that was removed, or whose last answer was an error, cannot become the primary.
    const faster = witnesses.find(isFaster)
    if (faster === undefined) return
    // The primary's old times are deleted. So it is refused again only after `ANSWERS` further slow answers.
    times.length = 0
    const reason = `each of its last ${ANSWERS} answers took more than ${SLOW_MS / 1000} s, and ${faster.name} is much faster`
    throw new LightError(LIGHT_ERRORS.noResponse, `${provider} is slow: ${reason}`, { data: { provider, reason } })
  }

  return providers.map((provider) => {
    const record: Measured = { name: provider.name, times: [] }
    const measuring: Provider = {
      ...provider,
      lightBlock: async (height, options) => {
        const nodes = present()
        if (height === undefined && nodes?.primary === measuring) refuseIfSlow(record, nodes.witnesses)
        const start = clock.monotonic()
        try {
          const block = await provider.lightBlock(height, options)
          // The time is measured only if the validators were requested too. A request for only the commit is perhaps
          // answered from memory, because `read-ahead.ts` has fetched the commit before. The time of such a request
          // does not show how fast the node is.
          if (options?.validators === undefined) record.times.push(clock.monotonic() - start)
          if (record.times.length > ANSWERS) record.times.shift()
          return block
        } catch (error) {
          if (options?.signal?.aborted !== true) record.times.length = 0
          throw error
        }
      },
    }
    measured.set(measuring, record)
    return measuring
  })
}
