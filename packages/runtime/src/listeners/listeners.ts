/** Functions that are called at an event, with a value that describes the event. */
export interface Listeners<T> {
  /** Adds a function until the signal aborts. Does not add it if the signal has aborted already. */
  readonly add: (listener: (value: T) => void, signal?: AbortSignal) => void
  /** Calls the functions that are in the list now, in the order in which they were added. */
  readonly call: (value: T) => void
  readonly size: () => number
}

/** Creates an empty set of listeners. */
export function createListeners<T = void>(): Listeners<T> {
  const entries = new Set<{ readonly listener: (value: T) => void }>()
  return {
    add: (listener, signal) => {
      if (signal?.aborted === true) return
      const entry = { listener }
      entries.add(entry)
      signal?.addEventListener('abort', () => entries.delete(entry), { once: true })
    },
    call: (value) => {
      for (const { listener } of [...entries]) listener(value)
    },
    size: () => entries.size,
  }
}
