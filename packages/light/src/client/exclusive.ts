import { unlessAborted } from '@org/runtime'

/** Makes a function that runs one piece of work after the other. A caller whose signal aborts leaves the queue. */
export function createExclusive(): <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (work, signal) => {
    const before = last
    const run = (async () => {
      await before
      signal?.throwIfAborted()
      return work()
    })()
    last = run.catch(() => undefined)
    return unlessAborted(run, signal)
  }
}
