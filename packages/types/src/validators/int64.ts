/** Arithmetic of Go's int64 on bigints. */
const MIN_INT64: bigint = -(2n ** 63n)
export const MAX_INT64: bigint = 2n ** 63n - 1n

function clip(value: bigint): bigint {
  if (value > MAX_INT64) return MAX_INT64
  return value < MIN_INT64 ? MIN_INT64 : value
}

/** The sum, stopping at the ends of int64. */
export const addClip = (a: bigint, b: bigint): bigint => clip(a + b)
/** The difference, stopping at the ends of int64. */
export const subClip = (a: bigint, b: bigint): bigint => clip(a - b)
/** Wraps a value to Go's int64. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value)
export const isInt64 = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64
