import type { RestoreOptions } from './options.ts'

/**
 * Counts the retries that the application requests for one snapshot. Without a limit, an application that requests a
 * retry each time would keep state sync in an endless loop.
 */
export interface Retries {
  /**
   * Records that the application requested these chunks again. Returns false if the application has requested one of
   * these chunks more often than the limit allows.
   */
  readonly mayRepeatChunks: (indexes: Iterable<number>) => boolean
  /**
   * Records that the application requested the whole snapshot again. Returns false if the application has requested the
   * snapshot more often than the limit allows. Sets the number of retries of each chunk to 0.
   */
  readonly mayRepeatSnapshot: () => boolean
}

export type RetryLimits = Pick<RestoreOptions, 'maxChunkRetries' | 'maxSnapshotRetries'>

export function createRetries({ maxChunkRetries, maxSnapshotRetries }: RetryLimits): Retries {
  const ofChunks = new Map<number, number>()
  let ofSnapshot = 0
  return {
    mayRepeatChunks: (indexes) => {
      let isAllowed = true
      for (const index of indexes) {
        const count = (ofChunks.get(index) ?? 0) + 1
        ofChunks.set(index, count)
        if (count > maxChunkRetries) isAllowed = false
      }
      return isAllowed
    },
    mayRepeatSnapshot: () => {
      ofChunks.clear()
      return ++ofSnapshot <= maxSnapshotRetries
    },
  }
}
