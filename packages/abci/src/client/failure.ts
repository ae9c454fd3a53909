import { createListeners } from '@org/runtime'
import type { AbciError } from '../errors.ts'

/** Keeps the failure that ended a connection, and passes it once to each listener. */
export interface Failure {
  readonly set: (error: AbciError) => void
  readonly get: () => AbciError | undefined
  readonly listen: (listener: (error: AbciError) => void, signal?: AbortSignal) => void
}

export function createFailure(): Failure {
  let failed: AbciError | undefined
  const listeners = createListeners<AbciError>()
  return {
    set: (error) => {
      if (failed !== undefined) return
      failed = error
      listeners.call(error)
    },
    get: () => failed,
    listen: (listener, signal) => {
      if (failed === undefined) listeners.add(listener, signal)
      else if (signal?.aborted !== true) listener(failed)
    },
  }
}
