/** The choice between the losses that a crash can cause in one part of a disk. */
export interface Choice {
  /** The number of possible losses, at least 1. One of the possible losses is that no data is lost. */
  readonly lossCount: number
  /** Causes one possible loss of this part of the disk. `loss` is its index, below `lossCount`. Called once. */
  readonly lose: (loss: number) => void
}

/** Returns the number of different outcomes of a crash: the product of `lossCount` over all choices. */
export function countOutcomes(choices: readonly Pick<Choice, 'lossCount'>[]): number {
  return choices.reduce((product, { lossCount }) => product * lossCount, 1)
}

/**
 * Returns one outcome of a crash: for each choice in `choices`, the index of one possible loss. `index` is the number
 * of the outcome. If `coversEachLoss` is false, the first {@link countOutcomes} outcomes are all different, but they
 * may be too many to try them all. If `coversEachLoss` is true, a few outcomes are enough to try every possible loss of
 * every choice. For a choice with n possible losses, the first n outcomes contain each of these losses once, and the
 * next n outcomes contain each of them once again.
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
