import { compareDecimals, type Decimal, truncateDecimal } from '../../events/query/index.ts'
import { ALL_HEIGHTS, type Bound, type HeightInterval, type NumberRange } from './search-query.ts'

function isWhole(value: Decimal): boolean {
  return compareDecimals(truncateDecimal(value), value) === 0
}

function lowest({ value, inclusive }: Bound): number {
  const whole = truncateDecimal(value)
  return isWhole(value) && inclusive ? whole : whole + 1
}

function highest({ value, inclusive }: Bound): number {
  const whole = truncateDecimal(value)
  return isWhole(value) && !inclusive ? whole - 1 : whole
}

/** Returns the interval of the heights that are in a range of non-negative numbers. */
export function heightsOf({ lower, upper }: NumberRange): HeightInterval {
  return {
    min: lower === undefined ? ALL_HEIGHTS.min : lowest(lower),
    max: upper === undefined ? ALL_HEIGHTS.max : highest(upper),
  }
}
