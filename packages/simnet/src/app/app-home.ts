/** The store of an application, which survives a crash: one value that is replaced as a whole. */
export interface AppHome {
  readonly load: () => unknown
  /**
   * Must be called with the new value at each Commit. Only one of `every` successive calls saves its value, where
   * `every` is the argument of {@link createAppHome}. A saved value is durable when the call returns.
   */
  readonly save: (value: unknown) => void
  /** Saves the value at once. It is for data that no other node sends again, such as a restored snapshot. */
  readonly keep: (value: unknown) => void
}

/**
 * Creates the store of an application. The store saves the value of each Commit, or of one in `every` Commits. After a
 * crash, the application begins with the last saved value, and the node sends it the later blocks again.
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
