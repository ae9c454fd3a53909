import { createListeners } from '@org/runtime'

/** Notifies listeners, once per height, that the mempool has transactions. */
export interface Availability {
  readonly enable: () => void
  /**
   * Must be called after each transaction that is added to the mempool. Must also be called after each commit and its
   * recheck, if the mempool still has transactions.
   */
  readonly notify: () => void
  /** Must be called when a new height begins. */
  readonly reset: () => void
  readonly listen: (listener: () => void, signal?: AbortSignal) => void
}

export function createAvailability(): Availability {
  const listeners = createListeners()
  let enabled = false
  let notified = false
  // True if a notification came while there was no listener. The first listener that is added after it is then called
  // immediately.
  let isPending = false
  return {
    enable: () => {
      enabled = true
    },
    notify: () => {
      if (!enabled || notified) return
      notified = true
      isPending = listeners.size() === 0
      listeners.call()
    },
    reset: () => {
      notified = false
    },
    listen: (listener, signal) => {
      listeners.add(listener, signal)
      if (!isPending || signal?.aborted === true) return
      isPending = false
      listener()
    },
  }
}
