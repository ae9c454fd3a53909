/** The store of an application, which survives a crash: one value that is replaced as a whole. */
export interface AppHome {
  readonly load: () => unknown
  /** Saves the value if this call is the `every`-th one since the last save. The saved value is durable on return. */
  readonly save: (value: unknown) => void
  /** Saves the value at once, because no node can send the data of this value again. */
  readonly keep: (value: unknown) => void
}

/**
 * Creates the store of an application. An application need not save every state, because the node sends lost blocks
 * again: this store saves each `every`-th state.
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
