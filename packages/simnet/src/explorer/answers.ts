import type { Call, Result } from '@org/engine/consensus'
import { hashBlock } from '@org/types'
import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { Model } from './model.ts'
import { REFUSED } from './rules.ts'
import { SIGNATURE } from './signed-messages.ts'

/**
 * Returns the result of a call that a machine makes in the round `round`. The signer and the application of the model
 * have no state, so the result depends only on the call and the round.
 */
export function answerOf(model: Model, call: Exclude<Call, { type: 'commitBlock' }>, round: number): Result {
  switch (call.type) {
    case 'createProposalBlock': {
      const { block, parts } = model.block(`a${round}`)
      return { type: call.type, value: { block, parts } }
    }
    case 'signProposal':
      return { type: call.type, value: { ...call.proposal, signature: SIGNATURE } }
    case 'signVote':
      return { type: call.type, value: { ...call.vote, signature: SIGNATURE } }
    case 'validateBlock':
      return { type: call.type, value: undefined }
    case 'processProposal':
      return { type: call.type, value: !model.nameOf(hashBlock(call.block)).startsWith(REFUSED) }
    default:
      throw new WorldError(WORLD_ERRORS.badState, `the explorer has no answer to ${call.type}`)
  }
}
