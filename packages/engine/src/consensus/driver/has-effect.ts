import { equalBlockIds, type Part, type PartSet, SignedMsgType, type Vote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { isProofValid } from '@org/types/crypto'
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
  const known = set.vote(index)
  return round === set.options.round && (known === undefined || !equalBlockIds(known.blockId, vote.blockId))
}

/** Returns true if the part is missing, and its proof is valid. A part has no signature, so any peer can invent one. */
function isMissing(parts: PartSet, { index, bytes, proof }: Part): boolean {
  const { total, hash } = parts.header
  return index < total && parts.part(index) === undefined && proof.total === total && isProofValid(proof, hash, bytes)
}

/**
 * Returns false if the message of a peer certainly changes nothing in the machine: it is for another height or round,
 * no validator can have signed it, it is not a part of the awaited block, or its content was received before. Such a
 * message need not be in the WAL. Otherwise a peer could fill the WAL of a long height with worthless messages, and a
 * restart would have to read all of them.
 */
export function hasEffect(message: ConsensusMessage, state: Readonly<RoundState>, peerId: string): boolean {
  switch (message.kind) {
    case 'proposal': {
      const { height, round } = message.proposal
      return state.proposal === undefined && height === state.height && round === state.round
    }
    case 'blockPart': {
      const parts = state.incoming?.parts
      return message.height === state.height && parts !== undefined && isMissing(parts, message.part)
    }
    case 'vote':
      return voteHasEffect(message.vote, state, peerId)
  }
}
