import { type Clock, type Logger, messageOf } from '@org/runtime'
import type { BackfilledRange, BlockStore, StateStore } from '../../store/index.ts'
import type { NeededHeaders } from './needed-headers.ts'
import type { BackfillOptions } from './options.ts'

export interface RemovalModules extends Pick<NeededHeaders, 'isExpired'> {
  readonly blockStore: Pick<BlockStore, 'backfilled' | 'removeOldHeaders'>
  readonly stateStore: Pick<StateStore, 'removeOldValidators'>
}

/**
 * Returns the greatest height in the range whose evidence has expired. The caller must check that the evidence of the
 * lowest height of the range has expired.
 */
function lastExpired({ snapshot, lowest }: BackfilledRange, isExpired: NeededHeaders['isExpired']): number {
  let [expired, valid] = [lowest, snapshot + 1]
  while (valid - expired > 1) {
    const middle = Math.floor((expired + valid) / 2)
    if (isExpired(middle)) expired = middle
    else valid = middle
  }
  return expired
}

/**
 * Removes the headers whose evidence has expired, except the highest of these headers. This highest header stays,
 * because it shows that no lower header is needed.
 */
export async function removeExpired({ blockStore, stateStore, isExpired }: RemovalModules): Promise<void> {
  const range = blockStore.backfilled()
  if (range === undefined || !isExpired(range.lowest)) return
  const last = lastExpired(range, isExpired)
  if (last === range.lowest) return
  // The validators are removed before the headers. If the node crashes between the two removals, the headers are still
  // stored, so the next call removes the same heights.
  await blockStore.removeOldHeaders(await stateStore.removeOldValidators(range.lowest, last))
}

export interface RepeatedRemovalModules extends RemovalModules {
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Calls {@link removeExpired} again and again, until the signal aborts. An error, such as one of a full disk, is
 * logged, and the calls continue.
 */
export async function keepRemoving(
  { removeEveryMs }: Pick<BackfillOptions, 'removeEveryMs'>,
  modules: RepeatedRemovalModules,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger } = modules
  for (;;) {
    try {
      await removeExpired(modules)
    } catch (error) {
      logger.error('Failed to remove expired headers below the snapshot, will try again', {
        ...{ err: messageOf(error), retryMs: removeEveryMs },
      })
    }
    await clock.sleep(removeEveryMs, signal)
  }
}
