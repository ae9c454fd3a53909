/** The store of an application, which survives a crash: one value that is replaced as a whole. */
export interface AppHome {
  readonly load: () => unknown
  /** Saves the value at every `every`-th call. A saved value is durable when the call returns. */
  readonly save: (value: unknown) => void
  /** Saves the value at once. It is for data that no other node sends again, such as a restored snapshot. */
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
