/**
 * Runs calls one after the other, in order. If no call is running and the new call returns its answer immediately, no
 * promise is made.
 */
export interface CallLane {
  readonly run: <T>(call: () => T | Promise<T>) => T | Promise<T>
}

export function createCallLane(): CallLane {
  let busy = false
  let waiting: (() => void)[] = []

  function drain(): void {
    while (!busy && waiting.length > 0) {
      const batch = waiting
      waiting = []
      let done = 0
      while (!busy && done < batch.length) batch[done++]?.()
      waiting = batch.slice(done).concat(waiting)
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
