/** The last heights of a home and of its application. */
export interface StartHeights {
  readonly state: number
  readonly store: number
  readonly app: number
}

/**
 * Returns whether a node whose configuration enables state sync begins with a snapshot. This is so in two cases. First,
 * its home has no state, as in the reference. Second, its home has the state of a restored snapshot but no block, and
 * the application has lost the restored data.
 */
export function mustRestore({ state, store, app }: StartHeights): boolean {
  return store === 0 && (state === 0 || app !== state)
}
