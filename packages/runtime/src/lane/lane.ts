/** Runs tasks one after the other, in the order of the calls. A failed task does not stop later tasks. */
export type Lane = <T>(task: () => T | Promise<T>) => Promise<T>

/** Creates an empty lane. */
export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }
}
