/** The smallest value of Go's int64. The functions below calculate with bigints as Go does with int64. */
const MIN_INT64: bigint = -(2n ** 63n)
export const MAX_INT64: bigint = 2n ** 63n - 1n

function clip(value: bigint): bigint {
  if (value > MAX_INT64) return MAX_INT64
  return value < MIN_INT64 ? MIN_INT64 : value
}

/** Returns the sum, limited to the range of int64. */
export const addClip = (a: bigint, b: bigint): bigint => clip(a + b)
/** Returns the difference, limited to the range of int64. */
export const subClip = (a: bigint, b: bigint): bigint => clip(a - b)
/** Wraps a value as Go's int64 does on overflow. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value)
export const isInt64 = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64
