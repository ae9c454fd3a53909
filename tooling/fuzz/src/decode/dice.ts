/** Fast random numbers from a seed: the same seed gives the same numbers. */
export interface Dice {
  /** A whole number from 0 to `limit` - 1. */
  readonly below: (limit: number) => number
  readonly of: <T>(items: readonly T[]) => T
}

/** xorshift with 32 bits, because the fuzzer needs about ten numbers per input. */
export function createDice(seed: number): Dice {
  let state = (seed | 0) === 0 ? 0x9e37_79b9 : seed | 0
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
  return { below, of: (items) => items[below(items.length)] as never }
}
