/** The choice between the losses that a crash can cause in one part of a disk. */
export interface Choice {
  /** The number of possible losses, at least 1: that nothing is lost counts as one of them. */
  readonly lossCount: number
  /** Causes the possible loss with the index `loss`, from 0 to `lossCount` - 1. Called once. */
  readonly lose: (loss: number) => void
}

/** Returns the number of outcomes of a crash: the product of the numbers of possible losses. */
export function countOutcomes(choices: readonly Pick<Choice, 'lossCount'>[]): number {
  return choices.reduce((product, { lossCount }) => product * lossCount, 1)
}

/**
 * Returns the outcome of a crash that has the number `index`: for each choice, the index of one loss. If
 * `coversEachLoss` is false, the first {@link countOutcomes} outcomes are all different, but they may be too many to
 * try them all. If `coversEachLoss` is true, a few outcomes are enough to try every loss: for a choice with n possible
 * losses, the first n outcomes contain each loss once, and so do the next n outcomes.
 */
export function outcomeOf(
  choices: readonly Pick<Choice, 'lossCount'>[],
  index: number,
  coversEachLoss: boolean,
): readonly number[] {
  if (coversEachLoss)
    return choices.map(({ lossCount }, place) => (index + Math.floor(index / lossCount) * place) % lossCount)
  let rest = index
  return choices.map(({ lossCount }) => {
    const loss = rest % lossCount
    rest = Math.floor(rest / lossCount)
    return loss
  })
}
