/**
 * The number of microseconds in a millisecond. The time of an action is a whole number of microseconds, so that it can
 * be written as text without rounding.
 */
export const PER_MS = 1000

/**
 * Returns a time in whole microseconds, rounded up. The product with 1000 may be slightly too large, for example
 * 1000.0000001 instead of 1000. So the product is first rounded to three decimals, and a whole number stays the same.
 */
export const roundUpToMicroseconds = (ms: number): number => Math.ceil(Number((ms * PER_MS).toFixed(3)))
