import { unlessAborted } from './unless-aborted.ts'

/** A call that shares its work with other calls of the same key. */
export interface SharedCall<Key, Result> {
  readonly key: Key
  /** Starts the work. It is called only if no other call with this key is in progress. */
  readonly work: (signal: AbortSignal) => Promise<Result>
  readonly signal: AbortSignal | undefined
}

interface Running<Result> {
  readonly result: Promise<Result>
  readonly stop: AbortController
  callers: number
}

/** Runs the work of a call, or waits for the work of another call with the same key. */
export interface SharedCalls<Key, Result> {
  (call: SharedCall<Key, Result>): Promise<Result>
  /** Waits for the work of this key. Returns `undefined` if no work of this key runs. */
  readonly join: (key: Key, signal?: AbortSignal) => Promise<Result> | undefined
}

/**
 * Makes a function that runs the work of a key at most once at the same time. If a call comes while the work of its key
 * runs, the call gets the result of this work. The work is aborted when no call waits for it any more.
 */
export function createSharedCalls<Key, Result>(): SharedCalls<Key, Result> {
  const running = new Map<Key, Running<Result>>()

  function forget(key: Key, shared: Running<Result>): void {
    if (running.get(key) === shared) running.delete(key)
  }

  function begin({ key, work }: SharedCall<Key, Result>): Running<Result> {
    const stop = new AbortController()
    const shared = { result: work(stop.signal), stop, callers: 0 }
    running.set(key, shared)
    const end = (): void => forget(key, shared)
    shared.result.then(end, end)
    return shared
  }

  async function wait(key: Key, shared: Running<Result>, signal: AbortSignal | undefined): Promise<Result> {
    shared.callers++
    try {
      return await unlessAborted(shared.result, signal)
    } finally {
      shared.callers--
      if (shared.callers === 0) {
        forget(key, shared)
        shared.stop.abort()
      }
    }
  }

  async function run(call: SharedCall<Key, Result>): Promise<Result> {
    call.signal?.throwIfAborted()
    return wait(call.key, running.get(call.key) ?? begin(call), call.signal)
  }

  function join(key: Key, signal?: AbortSignal): Promise<Result> | undefined {
    const shared = running.get(key)
    return shared && wait(key, shared, signal)
  }

  return Object.assign(run, { join })
}
