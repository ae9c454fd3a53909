import type { BitSet, ValidatorSet } from '@org/types'
import type { VoteSet } from './vote-set.ts'

/** The votes of one round. */
export interface RoundVotes {
  readonly prevotes: VoteSet
  readonly precommits: VoteSet
}

/**
 * Returns the round with the least support, which is removed if there are too many rounds; the first of them if several
 * have the least. Each validator divides its power among the rounds in which it voted. So a faulty validator that votes
 * in very many rounds supports each of them little, and a round in which another validator voted stays.
 */
export function leastSupported(
  rounds: readonly RoundVotes[],
  { validators }: Pick<ValidatorSet, 'validators'>,
): RoundVotes | undefined {
  const voters = rounds.map(({ prevotes, precommits }): BitSet => prevotes.liveBits.or(precommits.liveBits))
  /** The number of rounds in which each validator voted, by the index of the validator. */
  const counts = new Map<number, number>()
  for (const bits of voters) for (const index of bits.indexes()) counts.set(index, (counts.get(index) ?? 0) + 1)
  let least: { readonly round: RoundVotes | undefined; readonly support: number } | undefined
  for (const [i, bits] of voters.entries()) {
    let support = 0
    for (const index of bits.indexes())
      support += Number(validators[index]?.votingPower) / (counts.get(index) as number)
    if (least === undefined || support < least.support) least = { round: rounds[i], support }
  }
  return least?.round
}
