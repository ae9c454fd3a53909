/**
 * A bisection tries the block at 9/16 of the distance between two heights, a little above the middle. The reference
 * uses the same fraction.
 */
const [PIVOT_NUMERATOR, PIVOT_DENOMINATOR] = [9, 16]

/** Returns the height of the block that a bisection tries between two heights. */
export function pivotOf(low: number, high: number): number {
  const gap = high - low
  // The product of `gap` and the numerator could exceed the safe integers. So it is computed in two parts.
  const whole = Math.floor(gap / PIVOT_DENOMINATOR)
  return low + whole * PIVOT_NUMERATOR + Math.floor(((gap % PIVOT_DENOMINATOR) * PIVOT_NUMERATOR) / PIVOT_DENOMINATOR)
}
