/** The functions that release what a component has opened. */
export interface Cleanups {
  /** Adds a function, which `run` calls before the functions that were added earlier. */
  readonly add: (cleanup: () => void | Promise<void>) => void
  /**
   * Calls the functions one after the other, each of them once. If a function fails, the others are called too, and the
   * first error is thrown at the end. A later call of `run` calls only the functions that were added after the earlier
   * call.
   */
  readonly run: () => Promise<void>
  /** The number of functions that `run` will call. */
  readonly size: () => number
}

/** Creates an empty list of cleanups. */
export function createCleanups(): Cleanups {
  const cleanups: (() => void | Promise<void>)[] = []
  return {
    add: (cleanup) => {
      cleanups.push(cleanup)
    },
    run: async () => {
      const errors: unknown[] = []
      for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) {
        try {
          await cleanup()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
    size: () => cleanups.length,
  }
}
