import { createLane, unlessAborted } from '@org/runtime'

/**
 * Makes a function that runs asynchronous functions one after the other. If the signal of a call aborts, the call
 * rejects at once. If its function has not begun, the function never runs. If its function is running, the next
 * function still waits until the running function ends.
 */
export function createMutex(): <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T> {
  const lane = createLane()
  return (work, signal) => {
    const run = lane(() => {
      signal?.throwIfAborted()
      return work()
    })
    return unlessAborted(run, signal)
  }
}
