/** Notifies listeners, once per height, that the mempool has transactions. */
export interface Availability {
  readonly enable: () => void
  /** To be called when the mempool has a transaction. */
  readonly notify: () => void
  /** To be called when a new height begins. */
  readonly reset: () => void
  readonly listen: (listener: () => void) => () => void
}

export function createAvailability(): Availability {
  const listeners = new Set<() => void>()
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
      isPending = listeners.size === 0
      for (const listener of listeners) listener()
    },
    reset: () => {
      notified = false
    },
    listen: (listener) => {
      listeners.add(listener)
      if (isPending) {
        isPending = false
        listener()
      }
      return () => void listeners.delete(listener)
    },
  }
}
