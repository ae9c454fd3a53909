import { SignedMsgType, type Vote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { type ConsensusMessage, type RoundState, RoundStep, type VoteSet } from '../machine/index.ts'

/** Returns the set to which the vote belongs; `undefined` if the machine keeps no votes of this round yet. */
function setOf({ height, round, type }: Vote, state: Readonly<RoundState>): VoteSet | undefined {
  if (height !== state.height) return state.lastCommit
  return type === SignedMsgType.prevote ? state.votes.prevotes(round) : state.votes.precommits(round)
}

function voteHasEffect(vote: Vote, state: Readonly<RoundState>, peerId: string): boolean {
  const { height, round, type, validatorIndex: index } = vote
  const isLate = height + 1 === state.height && type === SignedMsgType.precommit && state.step === RoundStep.newHeight
  if (height !== state.height && !(isLate && state.lastCommit !== undefined)) return false
  const { validators } = height === state.height ? state.validators : state.lastValidators
  const validator = validators[index]
  if (validator === undefined || !equalBytes(validator.address, vote.validatorAddress)) return false
  const set = setOf(vote, state)
  if (set === undefined) return state.votes.mayOpen(round, peerId)
  return round === set.options.round && set.mayAdd(vote)
}

/**
 * Returns false if a message of a peer certainly changes nothing in the machine. The driver does not write this message
 * to the WAL. If it did, a peer could fill the WAL of a long height with worthless messages, and a restart would have
 * to read all of them. A message changes nothing if it is for another height or round, if no validator can have signed
 * it, if it is not a part of the awaited block, or if its content was received before. A further conflicting vote of a
 * validator changes nothing either, because the first one is enough for evidence. The exception is a new vote for a
 * block that has +2/3, or for which a peer claims +2/3.
 */
export function hasEffect(message: ConsensusMessage, state: Readonly<RoundState>, peerId: string): boolean {
  switch (message.kind) {
    case 'proposal': {
      const { height, round } = message.proposal
      return state.proposal === undefined && height === state.height && round === state.round
    }
    case 'blockPart': {
      // A part has no signature, so any peer can invent one. Only the part's proof shows that it belongs to the block.
      return message.height === state.height && state.incoming?.parts.isMissing(message.part) === true
    }
    case 'vote':
      return voteHasEffect(message.vote, state, peerId)
  }
}
