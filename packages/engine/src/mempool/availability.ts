import { createListeners } from '@org/runtime'

/** Notifies listeners, once per height, that the mempool has transactions. */
export interface Availability {
  readonly enable: () => void
  /** To be called when the mempool has a transaction. */
  readonly notify: () => void
  /** To be called when a new height begins. */
  readonly reset: () => void
  readonly listen: (listener: () => void, signal?: AbortSignal) => void
}

export function createAvailability(): Availability {
  const listeners = createListeners()
  let enabled = false
  let notified = false
  // True after a notice that came before the first listener, which will receive it.
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
