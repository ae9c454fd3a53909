import { unlessAborted } from '@org/runtime'

/**
 * A request with at least this number of bytes is large. It is parsed only when the turn of its call comes, and
 * released when its client disconnects. A smaller request is parsed at once.
 */
export const LARGE_REQUEST = 16 * 1024

type Work<T> = () => T | Promise<T>

/**
 * Gives the work of a call to `run`, which begins the work when the turn of the call comes. If the client disconnects
 * before the work begins, releases the work, and the work never begins. Without this release, the request of a client
 * that is gone would stay in memory until its turn, and no limit would count it.
 *
 * Rejects with the reason of `signal` as soon as the client disconnects, even if the work is in progress.
 */
export async function whileConnected<T>(
  run: (work: Work<T>) => T | Promise<T>,
  work: Work<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted()
  let waiting: Work<T> | undefined = work
  const release = (): void => {
    waiting = undefined
  }
  signal.addEventListener('abort', release, { once: true })
  const result = run(() => {
    signal.removeEventListener('abort', release)
    const begun = waiting
    release()
    if (begun === undefined) throw signal.reason
    return begun()
  })
  return await unlessAborted(Promise.resolve(result), signal)
}
