import { createSeededRandom, type Random } from '@org/runtime'

/** A source of random choices that a seed determines. */
export interface RandomSource extends Random {
  /** Returns true with this probability. */
  readonly chance: (probability: number) => boolean
  /** Returns a number from `low` up to, but not including, `high`. */
  readonly between: (low: number, high: number) => number
  readonly pick: <T>(items: readonly T[]) => T
  /**
   * Returns a separate source. Its choices depend only on the seed and on `name`, and change no choices of other
   * sources.
   */
  readonly fork: (name: string) => RandomSource
}

function mix(seed: number, name: string): number {
  let hash = (seed ^ 0x9e3779b9) >>> 0
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x85ebca6b) >>> 0
    hash = (hash ^ (hash >>> 13)) >>> 0
  }
  return hash
}

/** Creates a random source from a seed. The same seed always gives the same choices. */
export function createRandomSource(seed: number): RandomSource {
  const generator = createSeededRandom(seed)
  const fraction = (): number => generator.below(2 ** 30) / 2 ** 30
  return {
    ...generator,
    chance: (probability) => fraction() < probability,
    between: (low, high) => low + fraction() * (high - low),
    pick: (items) => items[generator.below(items.length)] as (typeof items)[number],
    fork: (name) => createRandomSource(mix(seed, name)),
  }
}
