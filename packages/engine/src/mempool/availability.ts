/** Tells that there are transactions, once a height. */
export interface Availability {
  readonly enable: () => void
  /** There is a transaction now. */
  readonly notify: () => void
  /** A new height began. */
  readonly reset: () => void
  readonly listen: (listener: () => void) => () => void
}

export function createAvailability(): Availability {
  const listeners = new Set<() => void>()
  let enabled = false
  let notified = false
  // A notice that nobody heard is kept for the first listener.
  let unheard = false
  return {
    enable: () => {
      enabled = true
    },
    notify: () => {
      if (!enabled || notified) return
      notified = true
      unheard = listeners.size === 0
      for (const listener of listeners) listener()
    },
    reset: () => {
      notified = false
    },
    listen: (listener) => {
      listeners.add(listener)
      if (unheard) {
        unheard = false
        listener()
      }
      return () => void listeners.delete(listener)
    },
  }
}
