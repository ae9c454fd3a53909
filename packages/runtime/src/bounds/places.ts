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
   * If the caller gets a place and the signal aborts in the same turn of the event loop, the call resolves. The caller
   * must then leave the place.
   */
  readonly enter: (signal?: AbortSignal) => Promise<void>
  /**
   * Must be called by a caller that does not need its place any more. The caller that has waited longest gets the
   * place.
   */
  readonly leave: () => void
}

/** Creates a limit of `count` tasks that run at the same time. */
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
