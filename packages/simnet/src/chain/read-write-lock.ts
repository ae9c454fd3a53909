import { createDeferred } from '@org/runtime'

/** Runs tasks that may overlap, and tasks that must run alone. */
export interface ReadWriteLock {
  /**
   * Starts a task that may overlap with others. If a task that must run alone is running or waiting, the new task
   * begins after it.
   */
  readonly runShared: <T>(work: () => Promise<T>) => Promise<T>
  /**
   * Runs a task that must run alone. The task begins after the end of all earlier tasks, and later tasks wait for its
   * end.
   */
  readonly runExclusive: <T>(work: () => Promise<T>) => Promise<T>
}

export function createReadWriteLock(): ReadWriteLock {
  /** One promise for each task that runs or waits. The promise resolves when the task is over. */
  const running = new Set<Promise<void>>()
  let last: Promise<void> | undefined

  async function watched<T>(work: () => Promise<T>): Promise<T> {
    const { promise: over, resolve } = createDeferred<void>()
    running.add(over)
    try {
      return await work()
    } finally {
      running.delete(over)
      resolve()
    }
  }

  return {
    runShared: (work) => {
      const before = last
      return watched(before === undefined ? work : () => before.then(work))
    },
    runExclusive: (work) => {
      const before = Promise.all(running)
      const { promise: over, resolve } = createDeferred<void>()
      last = over
      return watched(async () => {
        try {
          await before
          return await work()
        } finally {
          if (last === over) last = undefined
          resolve()
        }
      })
    },
  }
}
