import { unlessAborted } from '../abort/index.ts'

/**
 * A counting semaphore with a queue: limits the number of tasks that run at the same time. Each task has a slot. Other
 * tasks wait for a slot, in the order of arrival.
 */
export interface Semaphore {
  /** Returns true if all slots are taken, so that the next caller must wait. */
  readonly isFull: () => boolean
  /** Returns the number of callers that wait for a slot. */
  readonly waiting: () => number
  /**
   * Resolves when the caller has a slot. Rejects with the signal's reason if the signal aborts while the caller waits.
   * If the caller gets a slot and the signal aborts in the same turn of the event loop, the call resolves. The caller
   * must then release the slot.
   */
  readonly acquire: (signal?: AbortSignal) => Promise<void>
  /**
   * Must be called by a caller that does not need its slot any more. The caller that has waited longest gets the
   * slot.
   */
  readonly release: () => void
}

/** Creates a semaphore with `count` slots. */
export function createSemaphore(count: number): Semaphore {
  const queue = new Set<() => void>()
  let taken = 0

  return {
    isFull: () => taken >= count,
    waiting: () => queue.size,
    acquire: async (signal) => {
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
    release: () => {
      const [next] = queue
      if (next === undefined) taken--
      else {
        queue.delete(next)
        next()
      }
    },
  }
}
