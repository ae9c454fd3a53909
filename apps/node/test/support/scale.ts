/**
 * `HALLEY_ACCEPTANCE=full`: the counts of a whole acceptance run. Otherwise, smaller counts, so that the tests can run
 * for every change.
 */
export const FULL = process.env.HALLEY_ACCEPTANCE === 'full'

/** The figure of an ordinary run, or the one of the acceptance run. */
export function scaled<T>(ordinary: T, full: T): T {
  return FULL ? full : ordinary
}
