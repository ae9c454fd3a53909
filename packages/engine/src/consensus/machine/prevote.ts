import { type BlockId, isEncodingOf, SignedMsgType, ZERO_BLOCK_ID } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { type Core, callDriver, newStep, note, type RuleGenerator, scheduleTimeout, setStep } from './core.ts'
import { timeoutOf } from './options.ts'
import type { Candidate } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import { signVote } from './sign.ts'
import { hasTwoThirds, type TwoThirdsVotes } from './votes/index.ts'

/** Called when the proposal is complete, or at the timeout of the step `propose`. */
export function* enterPrevote(core: Core, height: number, round: number): RuleGenerator {
  const { state } = core
  if (state.height !== height || round < state.round) return
  if (round === state.round && RoundStep.prevote <= state.step) return
  const wasSigned = yield* signVote(core, { type: SignedMsgType.prevote, blockId: yield* choosePrevote(core) })
  setStep(core, round, RoundStep.prevote)
  newStep(core)
  if (!wasSigned) waitWithoutOwnPrevote(core, round)
}

/**
 * Schedules the end of the wait for prevotes if +2/3 have prevoted already. Usually the arrival of this node's own
 * prevote does this. But the signer may have refused the own prevote, and all other prevotes may be present. Then no
 * later prevote would end the step.
 */
function waitWithoutOwnPrevote(core: Core, round: number): void {
  const prevotes = core.state.votes.prevotes(round)
  if (prevotes !== undefined && hasTwoThirds(prevotes)) enterPrevoteWait(core, prevotes)
}

/** Returns the block to prevote: the locked block, otherwise the proposed block if it is valid, otherwise nil. */
function* choosePrevote(core: Core): RuleGenerator<BlockId> {
  const { locked, incoming } = core.state
  if (locked !== undefined) return { hash: locked.hash, partSetHeader: locked.parts.header }
  if (incoming?.block === undefined) {
    note.debug(core, 'Prevoting nil: no proposal block has been received')
    return ZERO_BLOCK_ID
  }
  const reason = timeIsAhead(core, incoming) ?? otherParts(core, incoming) ?? (yield* validate(core, incoming, false))
  if (reason !== undefined) {
    note.error(core, 'Prevoting nil: the proposal block is invalid', {
      hash: bytesToHex(incoming.hash),
      reason,
    })
    return ZERO_BLOCK_ID
  }
  if (!(yield* callDriver({ type: 'processProposal', block: incoming.block }))) {
    note.error(core, 'Prevoting nil: the application rejected the proposal block', {
      hash: bytesToHex(incoming.hash),
    })
    return ZERO_BLOCK_ID
  }
  return { hash: incoming.hash, partSetHeader: incoming.parts.header }
}

/**
 * If the block's time is too far ahead of this node's clock, returns the reason for a prevote of nil. Only this node's
 * own prevote depends on this check. A block that +2/3 precommitted is accepted with any time.
 */
function timeIsAhead({ options, now }: Core, { block }: Candidate): string | undefined {
  const { blockTimeTolerance } = options
  if (blockTimeTolerance <= 0n || block.header.time < now() + blockTimeTolerance) return undefined
  return `the time of the block is ${(block.header.time - now()) / 1_000_000n} ms ahead of this node's clock`
}

/**
 * If the received parts differ from this node's encoding of the block, returns the reason for a prevote of nil. A
 * commit names the parts of its block. But block sync sends blocks without parts, so a node that joins later encodes
 * the parts itself. If the commit named other parts than this encoding has, that node could not verify the commit. Only
 * this node's own prevote depends on this check.
 */
function otherParts({ ownBlock }: Core, { block, parts }: Candidate): string | undefined {
  if (ownBlock?.parts.hasHeader(parts.header) === true || isEncodingOf(block, parts)) return undefined
  return 'the bytes of the parts differ from the encoding of the block'
}

/**
 * Returns the reason why the block cannot follow the present state; `undefined` if the block can follow it. A block
 * that passed this validation before is not validated again. `isAgreed` is true if validators with more than two thirds
 * of the power have voted for the block. Then the validation waits for headers that the block's evidence needs, if
 * these headers are still being fetched.
 */
export function* validate(core: Core, { block }: Candidate, isAgreed: boolean): RuleGenerator<string | undefined> {
  if (core.validated.has(block)) return undefined
  const reason = yield* callDriver({ type: 'validateBlock', block, isAgreed })
  if (reason === undefined) core.validated.add(block)
  return reason
}

/**
 * Called when +2/3 have prevoted, but this node cannot precommit yet: the votes are for different blocks, or this node
 * does not have the complete proposal. Schedules the end of the wait for prevotes.
 */
export function enterPrevoteWait(core: Core, prevotes: TwoThirdsVotes): void {
  const { state, options } = core
  const { height, round } = prevotes.options
  if (state.height !== height || round < state.round) return
  if (round === state.round && RoundStep.prevoteWait <= state.step) return
  const timeout = timeoutOf(options.timeoutPrevote, options.timeoutPrevoteDelta, round)
  scheduleTimeout(core, timeout, { round, step: RoundStep.prevoteWait })
  setStep(core, round, RoundStep.prevoteWait)
  newStep(core)
}
