/**
 * Runs calls one after the other, in order. If no call is running and the new call returns its answer immediately, no
 * promise is made.
 */
export interface CallLane {
  readonly run: <T>(call: () => T | Promise<T>) => T | Promise<T>
}

/** The number of begun calls from which they are removed from the list of waiting calls. */
const COMPACT_AT = 1024

export function createCallLane(): CallLane {
  let busy = false
  /** Calls that wait, from `next` on. The calls before `next` have begun. */
  let waiting: ((() => void) | undefined)[] = []
  let next = 0

  function drain(): void {
    while (!busy && next < waiting.length) {
      const begin = waiting[next]
      waiting[next++] = undefined
      begin?.()
    }
    // If each call removed itself from the beginning of the list, many waiting calls would take quadratic time.
    if (next === waiting.length) {
      waiting = []
      next = 0
    } else if (next >= COMPACT_AT && next * 2 >= waiting.length) {
      waiting = waiting.slice(next)
      next = 0
    }
  }

  const release = (): void => {
    busy = false
    drain()
  }

  function occupy<T>(call: () => T | Promise<T>): T | Promise<T> {
    busy = true
    let result: T | Promise<T>
    try {
      result = call()
    } catch (error) {
      busy = false
      throw error
    }
    if (isPromise(result)) result.then(release, release)
    else busy = false
    return result
  }

  return {
    run: (call) => {
      if (!busy) return occupy(call)
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(occupy(call))
          } catch (error) {
            reject(error)
          }
        })
      })
    },
  }
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function'
}
