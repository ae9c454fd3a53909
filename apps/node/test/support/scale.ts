/**
 * `HALLEY_ACCEPTANCE=full`: the counts of a whole acceptance run. Otherwise, smaller counts, so that the tests can run
 * for every change.
 */
export const FULL = process.env.HALLEY_ACCEPTANCE === 'full'

/** Returns `full` in a whole acceptance run, and otherwise `ordinary`. */
export function scaled<T>(ordinary: T, full: T): T {
  return FULL ? full : ordinary
}
