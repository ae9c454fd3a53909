import { unlessAborted } from '../abort/index.ts'

/**
 * Limits the number of tasks that run at the same time. Each task has a place. Other tasks wait for a place, in the
 * order of arrival.
 */
export interface Places {
  /** Returns true if all places are taken, so that the next caller must wait. */
  readonly isFull: () => boolean
  /** Returns the number of callers that wait for a place. */
  readonly waiting: () => number
  /**
   * Resolves when the caller has a place. Rejects with the signal's reason if the signal aborts while the caller waits.
   * A caller that got its place in the turn of the abort keeps the place, and must give it back.
   */
  readonly enter: (signal?: AbortSignal) => Promise<void>
  /** Gives the place of the caller to the caller that has waited for the longest time. */
  readonly leave: () => void
}

export function createPlaces(count: number): Places {
  const queue = new Set<() => void>()
  let taken = 0

  return {
    isFull: () => taken >= count,
    waiting: () => queue.size,
    enter: async (signal) => {
      if (taken < count) {
        taken++
        return
      }
      let next: () => void = () => undefined
      const given = new Promise<void>((resolve) => {
        next = resolve
      })
      queue.add(next)
      try {
        await unlessAborted(given, signal)
      } catch (error) {
        if (queue.delete(next)) throw error
      }
    },
    leave: () => {
      const [next] = queue
      if (next === undefined) taken--
      else {
        queue.delete(next)
        next()
      }
    },
  }
}
