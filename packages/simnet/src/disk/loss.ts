/** The choice between the losses that a crash can cause in one part of a disk. */
export interface Choice {
  /** The number of possible losses, at least 1. */
  readonly ways: number
  /** Causes one of the possible losses: the one with the index `way`, from 0 to `ways` - 1. Called once. */
  readonly take: (way: number) => void
}

/** Returns the number of all outcomes of a crash. */
export function countWays(choices: readonly Pick<Choice, 'ways'>[]): number {
  return choices.reduce((product, { ways }) => product * ways, 1)
}

/**
 * Returns an outcome of a crash: for each choice, the `way` for its function `take`. Each `index` gives an outcome.
 * Without `spread`, the first {@link countWays} outcomes are all different. With `spread`, a few outcomes include every
 * loss: for a choice with n possible losses, the first n outcomes include each loss once, and so do the next n
 * outcomes.
 */
export function waysOf(choices: readonly Pick<Choice, 'ways'>[], index: number, spread: boolean): readonly number[] {
  if (spread) return choices.map(({ ways }, place) => (index + Math.floor(index / ways) * place) % ways)
  let rest = index
  return choices.map(({ ways }) => {
    const way = rest % ways
    rest = Math.floor(rest / ways)
    return way
  })
}
