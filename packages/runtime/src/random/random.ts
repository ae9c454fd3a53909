/** A source of random numbers. It is never used for a consensus decision. */
export interface Random {
  readonly bytes: (length: number) => Uint8Array
  /** Returns a whole number from 0 to `limit` - 1. `limit` is at most 2^32. */
  readonly below: (limit: number) => number
}

/** Creates a source of random numbers that uses the cryptographic generator of the system. */
export function createSystemRandom(): Random {
  const bytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))
  return {
    bytes,
    below: (limit) => {
      const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
      return Math.floor((value / 2 ** 32) * limit)
    },
  }
}

/**
 * Creates a source whose values are the same on every machine for the same seed (mulberry32). It must not be used for
 * secrets.
 */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  const uint32 = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  return {
    bytes: (length) => Uint8Array.from({ length }, () => uint32() & 0xff),
    below: (limit) => Math.floor((uint32() / 2 ** 32) * limit),
  }
}
