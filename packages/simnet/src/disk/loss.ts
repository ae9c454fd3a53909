/** One of the things that a crash decides: which of so many ways it went. */
export interface Choice {
  /** At least one. */
  readonly ways: number
  /** Makes it so. Called once, with a number below `ways`. */
  readonly take: (way: number) => void
}

/** How many ends a crash can have in all. */
export function countWays(choices: readonly Pick<Choice, 'ways'>[]): number {
  return choices.reduce((product, { ways }) => product * ways, 1)
}

/**
 * The ways of the `index`-th end of a crash. The first {@link countWays} are all different. Whoever takes fewer than there are
 * takes them `spread`: then any so many in a row as a choice has ways meet each of them.
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
