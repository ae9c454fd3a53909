/** A counting semaphore with a queue. */
export interface Semaphore {
  /**
   * Calls `enter` when a slot is free: at once, or later. Returns a function that gives the slot back, or leaves the
   * queue.
   */
  readonly acquire: (enter: () => void) => () => void
}

/** With a `limit` of 0, a slot is always free. */
export function createSemaphore(limit: number): Semaphore {
  const line: (() => void)[] = []
  let used = 0
  return {
    acquire: (enter) => {
      if (limit === 0) {
        enter()
        return () => undefined
      }
      let state: 'waiting' | 'in' | 'left' = 'waiting'
      const take = (): void => {
        used++
        state = 'in'
        enter()
      }
      if (used < limit) take()
      else line.push(take)
      return () => {
        if (state === 'in') {
          used--
          line.shift()?.()
        } else if (state === 'waiting') line.splice(line.indexOf(take), 1)
        state = 'left'
      }
    },
  }
}
