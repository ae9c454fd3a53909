/** The choice between the losses that a crash can cause in one part of a disk. */
export interface Choice {
  /** The number of possible losses, at least 1. */
  readonly ways: number
  /** Causes the possible loss with the index `way`, from 0 to `ways` - 1. Called once. */
  readonly take: (way: number) => void
}

/** Returns the number of outcomes of a crash: the product of the numbers of possible losses. */
export function countWays(choices: readonly Pick<Choice, 'ways'>[]): number {
  return choices.reduce((product, { ways }) => product * ways, 1)
}

/**
 * Returns the outcome of a crash with this index: for each choice, the index of the loss. If `spread` is false, the
 * first {@link countWays} outcomes are all different. There may be too many outcomes to try them all. If `spread` is
 * true, a few outcomes include every loss: for a choice with n possible losses, the first n outcomes include each loss
 * once, and so do the next n outcomes.
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
