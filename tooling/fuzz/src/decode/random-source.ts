/** A fast source of random numbers. The same seed always gives the same numbers. */
export interface RandomSource {
  /** Returns a random whole number from 0 to `limit` - 1. */
  readonly below: (limit: number) => number
  readonly pick: <T>(items: readonly T[]) => T
}

/**
 * Makes a source of random numbers with the algorithm xorshift of 32 bits. It is fast, because the fuzzer needs about
 * ten numbers for each input.
 */
export function createRandomSource(seed: number): RandomSource {
  let state = (seed | 0) === 0 ? 0x9e37_79b9 : seed | 0
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
  return { below, pick: (items) => items[below(items.length)] as never }
}
