import type { Clock, Timer } from '@org/runtime'
import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { createPendingQueue } from './pending.ts'
import { closedError } from './socket-errors.ts'

/** A call that was sent and not answered. */
export interface PendingCall {
  readonly method: string
  readonly resolve: (value: never) => void
  readonly reject: (error: AbciError) => void
}

/** The calls of one connection that wait for an answer, in the order of their requests. */
export interface PendingCalls {
  readonly size: () => number
  readonly oldest: () => PendingCall | undefined
  readonly add: (method: string, resolve: PendingCall['resolve'], reject: PendingCall['reject']) => void
  /** Removes the oldest call, because its answer has arrived. */
  readonly shift: () => void
  /** Rejects all calls, because the connection has ended with this error. */
  readonly end: (error: AbciError) => void
}

export interface PendingCallsModules {
  readonly clock: Clock
  /** Called with an error when the oldest call has waited for `timeoutMs`. Must end the connection. */
  readonly onTimeout: (error: AbciError) => void
}

/** Creates an empty queue. `timeoutMs` is the time limit for each answer; 0 means no limit. */
export function createPendingCalls(timeoutMs: number, { clock, onTimeout }: PendingCallsModules): PendingCalls {
  const pending = createPendingQueue<PendingCall & { readonly since: number }>()
  let timer: Timer | undefined

  /**
   * Waits `ms` milliseconds, and then checks whether the oldest call has exceeded its time limit. Calls are answered in
   * order, so one timer is enough for all calls.
   */
  function watch(ms: number): void {
    timer = clock.after(ms, () => {
      timer = undefined
      const oldest = pending.peek()
      if (oldest === undefined) return
      const remainingMs = oldest.since + timeoutMs - clock.monotonic()
      if (remainingMs > 0) watch(remainingMs)
      else {
        const { method } = oldest
        const message = `${method}: no answer from the application within ${timeoutMs} ms`
        onTimeout(new AbciError(ABCI_ERRORS.timeout, message, { data: { method, timeoutMs } }))
      }
    })
  }

  return {
    size: pending.size,
    oldest: pending.peek,
    add: (method, resolve, reject) => {
      pending.push({ method, since: timeoutMs > 0 ? clock.monotonic() : 0, resolve, reject })
      if (timeoutMs > 0 && timer === undefined) watch(timeoutMs)
    },
    shift: () => void pending.shift(),
    end: (error) => {
      timer?.cancel()
      for (const [index, { method, reject }] of pending.clear().entries()) {
        // If the error names the method of the oldest open call, this call has caused the failure, and rejects with the
        // error itself. A call that has not caused the failure rejects because the connection has ended.
        if (index === 0 && error.data.method === method) reject(error)
        else reject(closedError(method, error))
      }
    },
  }
}
