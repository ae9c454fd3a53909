import { createSeededRandom, type Random } from '@org/runtime'

/** Random choices drawn from a seed. */
export interface Dice extends Random {
  /** Returns true with this probability. */
  readonly chance: (probability: number) => boolean
  /** Returns a number from `low` up to, but not including, `high`. */
  readonly between: (low: number, high: number) => number
  readonly pick: <T>(items: readonly T[]) => T
  /**
   * Returns dice of their own. Their choices depend only on the seed and on `name`, and change no choices of other
   * dice.
   */
  readonly fork: (name: string) => Dice
}

function mix(seed: number, name: string): number {
  let hash = (seed ^ 0x9e3779b9) >>> 0
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x85ebca6b) >>> 0
    hash = (hash ^ (hash >>> 13)) >>> 0
  }
  return hash
}

/** Creates dice from a seed. The same seed always gives the same choices. */
export function createDice(seed: number): Dice {
  const random = createSeededRandom(seed)
  const fraction = (): number => random.below(2 ** 30) / 2 ** 30
  return {
    ...random,
    chance: (probability) => fraction() < probability,
    between: (low, high) => low + fraction() * (high - low),
    pick: (items) => items[random.below(items.length)] as (typeof items)[number],
    fork: (name) => createDice(mix(seed, name)),
  }
}
