import { totalVotingPower, type ValidatorSet, type Vote } from '@org/types'
import type { Time } from '@org/types/time'

/** The times in seconds from a proposal to its votes. The timestamp of a vote is the time of the vote. */
export interface VoteDelays {
  /** The time from the proposal to the vote that completed +2/3; `undefined` if the votes do not have +2/3. */
  readonly quorum: number | undefined
  /** The time from the proposal to the last vote; `undefined` if a validator did not vote. */
  readonly full: number | undefined
}

/** Returns the times from the proposal to the votes. `votes` are in the order of the validators in the set. */
export function voteDelays(votes: readonly (Vote | undefined)[], validators: ValidatorSet, proposed: Time): VoteDelays {
  const needed = (totalVotingPower(validators) * 2n) / 3n
  const sortedVotes = votes
    .flatMap((vote, index) =>
      vote === undefined ? [] : [{ time: vote.timestamp, power: validators.validators[index]?.votingPower ?? 0n }],
    )
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  const seconds = (time: Time | undefined): number | undefined =>
    time === undefined ? undefined : Number(time - proposed) / 1e9
  let sum = 0n
  const quorum = sortedVotes.find(({ power }) => {
    sum += power
    return sum > needed
  })
  const hasAll = sortedVotes.length === validators.validators.length
  return { quorum: seconds(quorum?.time), full: hasAll ? seconds(sortedVotes.at(-1)?.time) : undefined }
}
