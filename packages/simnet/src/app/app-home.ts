/** The store of an application, which survives a crash: one value that is replaced as a whole. */
export interface AppHome {
  readonly load: () => unknown
  /** Saves the value if it is the turn of this call. It is durable on return. */
  readonly save: (value: unknown) => void
  /** Saves the value at once, because no node can send the data of this value again. */
  readonly keep: (value: unknown) => void
}

/**
 * An application need not save every state, because the node sends lost blocks again. This
 * one saves each `every`-th state that it is given.
 */
export function createAppHome(every = 1): AppHome {
  let value: unknown
  let saved = 0
  return {
    load: () => value,
    save: (next) => {
      if (++saved % every === 0) value = next
    },
    keep: (next) => {
      value = next
    },
  }
}
