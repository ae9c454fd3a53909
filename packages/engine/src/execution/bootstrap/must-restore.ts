/** The last heights of a home and of its application. */
export interface StartHeights {
  readonly state: number
  readonly store: number
  readonly app: number
}

/**
 * Returns whether a node whose configuration enables state sync begins with a snapshot. It does so without a state, as
 * the reference. It does so again if no block came since the last restore and the application has lost what it
 * restored.
 */
export function mustRestore({ state, store, app }: StartHeights): boolean {
  return store === 0 && (state === 0 || app !== state)
}
