/** The next pivot lies at 9/16 of the gap: above the middle, where the reference asks too. */
const [PIVOT_NUMERATOR, PIVOT_DENOMINATOR] = [9, 16]

/** The height that a bisection asks for between two others. */
export function pivotOf(low: number, high: number): number {
  const gap = high - low
  // Computed in two parts, because the product could exceed the safe integers.
  const whole = Math.floor(gap / PIVOT_DENOMINATOR)
  return low + whole * PIVOT_NUMERATOR + Math.floor(((gap % PIVOT_DENOMINATOR) * PIVOT_NUMERATOR) / PIVOT_DENOMINATOR)
}
