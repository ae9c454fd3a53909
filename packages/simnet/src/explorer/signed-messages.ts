import { Proposal, SignedMsgType, Vote, ZERO_BLOCK_ID } from '@org/types'
import type { ModelProposal, ModelVote } from './message.ts'
import { type Model, NOW } from './model.ts'

/** In this model, signatures have no meaning: a message names its signer, and the machines accept every signature. */
export const SIGNATURE = new Uint8Array(64).fill(1)

/** Returns the proposal that the message of the model represents. */
export function signedProposal(model: Model, { round, polRound, block }: ModelProposal): Proposal {
  return Proposal.create({
    type: SignedMsgType.proposal,
    height: 1,
    round,
    polRound,
    blockId: model.block(block).blockId,
    timestamp: NOW,
    signature: SIGNATURE,
  })
}

/** Returns the vote that the message of the model represents. */
export function signedVote(model: Model, { type, round, validator, value }: ModelVote): Vote {
  return Vote.create({
    type: SignedMsgType[type],
    height: 1,
    round,
    blockId: value === 'nil' ? ZERO_BLOCK_ID : model.block(value).blockId,
    timestamp: NOW,
    validatorAddress: model.addresses[validator] as Uint8Array,
    validatorIndex: validator,
    signature: SIGNATURE,
  })
}
