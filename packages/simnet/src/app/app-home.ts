/** The store of an application, which survives a crash: one value that is replaced as a whole. */
export interface AppHome {
  readonly load: () => unknown
  /**
   * Must be called at each Commit with the new value: the state of the application. If the argument `every` of
   * {@link createAppHome} is 3, only each third call saves its value. A saved value is durable when the call returns.
   */
  readonly save: (value: unknown) => void
  /**
   * Saves the value in each call, also if `every` is greater than 1. Used for a state that no other node sends again,
   * such as the state of a restored snapshot.
   */
  readonly saveAlways: (value: unknown) => void
}

/**
 * Creates the store of an application. At each Commit, the application passes its state to the store. The store saves
 * each of these states if `every` is 1, and each third one if `every` is 3. After a crash, the application begins with
 * the last saved state, and the node sends the later blocks to the application again.
 */
export function createAppHome(every = 1): AppHome {
  let value: unknown
  let saved = 0
  return {
    load: () => value,
    save: (next) => {
      if (++saved % every === 0) value = next
    },
    saveAlways: (next) => {
      value = next
    },
  }
}
