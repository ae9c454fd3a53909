import { unlessAborted } from '../abort/index.ts'

/** Limits how many tasks run at the same time. The others wait, in the order of arrival. */
export interface Places {
  /** All places are taken: the next caller waits. */
  readonly isFull: () => boolean
  /** The number of callers that wait for a place. */
  readonly waiting: () => number
  /**
   * Resolves when the caller has a place. Rejects with the signal's reason if the signal aborts while the caller waits;
   * a caller that got its place in the same turn keeps it, and must give it back.
   */
  readonly enter: (signal?: AbortSignal) => Promise<void>
  /** Gives the place of the caller to the one that has waited for longest. */
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
