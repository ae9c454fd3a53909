import type { BitSet, ValidatorSet } from '@org/types'
import type { VoteSet } from './vote-set.ts'

/** The votes of one round. */
export interface RoundVotes {
  readonly prevotes: VoteSet
  readonly precommits: VoteSet
}

/**
 * Returns the round with the least support, so that the caller can remove the votes of this round. If several rounds
 * have the least support, returns the first of these rounds. Each validator divides its power equally among the rounds
 * in which it voted. A faulty validator that votes in very many rounds adds little support to each of them. So a round
 * in which another validator voted is not removed.
 */
export function leastSupported(
  rounds: readonly RoundVotes[],
  { validators }: Pick<ValidatorSet, 'validators'>,
): RoundVotes | undefined {
  const voters = rounds.map(({ prevotes, precommits }): BitSet => prevotes.liveBits.or(precommits.liveBits))
  /**
   * Maps the index of a validator to the number of given rounds in which this validator voted. The validator's power is
   * divided by this number.
   */
  const counts = new Map<number, number>()
  for (const bits of voters) for (const index of bits.indexes()) counts.set(index, (counts.get(index) ?? 0) + 1)
  let lowest: { readonly round: RoundVotes | undefined; readonly support: number } | undefined
  for (const [i, bits] of voters.entries()) {
    let support = 0
    for (const index of bits.indexes())
      support += Number(validators[index]?.votingPower) / (counts.get(index) as number)
    if (lowest === undefined || support < lowest.support) lowest = { round: rounds[i], support }
  }
  return lowest?.round
}
