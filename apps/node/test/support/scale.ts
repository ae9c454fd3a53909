/**
 * Whether the tests run with the large counts of an acceptance run (`HALLEY_ACCEPTANCE=full`). Otherwise the counts are
 * smaller, so that the tests can run for every change.
 */
export const FULL = process.env.HALLEY_ACCEPTANCE === 'full'

/** Returns `full` in a whole acceptance run, and otherwise `ordinary`. */
export function scaled<T>(ordinary: T, full: T): T {
  return FULL ? full : ordinary
}
