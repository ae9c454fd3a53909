/** A counting semaphore with a queue. */
export interface Semaphore {
  /**
   * Calls `enter` when a slot is free, which may be immediately or later. Returns a function that gives the slot back.
   * If `enter` was not called yet, the function removes the caller from the queue.
   */
  readonly acquire: (enter: () => void) => () => void
}

/** Creates a semaphore with `limit` slots. If `limit` is 0, a slot is always free. */
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
