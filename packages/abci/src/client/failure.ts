import type { AbciError } from '../errors.ts'

/** Keeps the failure that ended a connection, and passes it once to each listener. */
export interface Failure {
  readonly set: (error: AbciError) => void
  readonly get: () => AbciError | undefined
  readonly listen: (listener: (error: AbciError) => void) => () => void
}

export function createFailure(): Failure {
  let failed: AbciError | undefined
  const listeners = new Set<(error: AbciError) => void>()
  return {
    set: (error) => {
      if (failed !== undefined) return
      failed = error
      for (const listener of listeners) listener(error)
      listeners.clear()
    },
    get: () => failed,
    listen: (listener) => {
      if (failed !== undefined) listener(failed)
      else listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
