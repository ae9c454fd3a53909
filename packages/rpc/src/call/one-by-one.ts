/** Runs work one after the other, in the order of the calls. */
export type OneByOne = <T>(work: () => T | Promise<T>) => Promise<T>

export function createOneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }
}
