import { createLane, unlessAborted } from '@org/runtime'

/** Makes a function that runs one piece of work after the other. A caller leaves the queue when its signal aborts. */
export function createExclusive(): <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T> {
  const lane = createLane()
  return (work, signal) => {
    const run = lane(() => {
      signal?.throwIfAborted()
      return work()
    })
    return unlessAborted(run, signal)
  }
}
