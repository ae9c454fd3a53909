/**
 * The number of microseconds in a millisecond. The time of an action is a whole number of microseconds, so that it can
 * be written as text without rounding.
 */
export const PER_MS = 1000

/**
 * Returns a time in whole microseconds, rounded up. A time that is whole already stays the same: its product with 1000
 * may be a little too large, so it is rounded first.
 */
export const microsecondsUp = (ms: number): number => Math.ceil(Number((ms * PER_MS).toFixed(3)))
