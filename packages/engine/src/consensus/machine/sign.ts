import { type Block, type BlockId, isPrecommitForBlock, SignedMsgType, Vote, validatorByAddress } from '@org/types'
import { type Core, callDriver, note, type RuleGenerator } from './core.ts'
import { MACHINE_ERRORS, MachineError } from './errors.ts'
import { extensionsEnabled } from './round-state.ts'

/**
 * The minimum difference between a block's time and the times of the votes for it, in nanoseconds. So the median of
 * these times is later than the block's time.
 */
const TIME_STEP = 1_000_000n

/**
 * Returns the time for a vote: the clock reading, but at least a millisecond after the time of the locked or proposed
 * block.
 */
function voteTime({ state, now }: Core): bigint {
  const block = state.locked?.block ?? state.incoming?.block
  const earliest = block === undefined ? now() : block.header.time + TIME_STEP
  return now() > earliest ? now() : earliest
}

export interface WantedVote {
  readonly type: Vote['type']
  readonly blockId: BlockId
  /** The block for which a precommit votes; absent for nil and for a prevote. */
  readonly block?: Block
}

/**
 * Signs and sends a vote, if this node is a validator now. Returns false only if the signer refused to sign, for
 * example because it signed another vote before a crash. Then no own vote of the step will arrive.
 */
export function* signVote(core: Core, { type, blockId, block }: WantedVote): RuleGenerator<boolean> {
  const { state } = core
  const us = state.signerAddress === undefined ? undefined : validatorByAddress(state.validators, state.signerAddress)
  if (us === undefined) return true
  const unsigned = Vote.create({
    type,
    height: state.height,
    round: state.round,
    blockId,
    timestamp: voteTime(core),
    validatorAddress: us.validator.address,
    validatorIndex: us.index,
  })
  const withExtension = isPrecommitForBlock(unsigned) && extensionsEnabled(state.chain, state.height)
  const extension =
    withExtension && block !== undefined
      ? yield* callDriver({ type: 'extendVote', vote: unsigned, block })
      : new Uint8Array(0)
  const vote = yield* callDriver({ type: 'signVote', vote: { ...unsigned, extension }, withExtension })
  if (vote === undefined) return false
  if (withExtension !== vote.extensionSignature.length > 0) {
    const message = `the signer ${withExtension ? 'did not sign the extension' : 'signed an extension'} of a vote`
    throw new MachineError(MACHINE_ERRORS.signedExtension, message)
  }
  core.emit({ type: 'own', message: { kind: 'vote', vote } })
  note.debug(core, 'signed vote', { type: type === SignedMsgType.prevote ? 'prevote' : 'precommit' })
  return true
}
