import { type BlockId, ZERO_BLOCK_ID } from '@org/types/block'
import { bytesToHex } from '@org/types/bytes'
import { SignedMsgType } from '@org/types/vote'
import { ask, broken, type Core, type Flow, newStep, note, scheduleTimeout, setStep } from './core.ts'
import { timeoutOf } from './options.ts'
import type { Candidate } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import { signVote } from './sign.ts'

/** With the whole proposal, or when its timeout is over. */
export function* enterPrevote(core: Core, height: number, round: number): Flow {
  const { state } = core
  if (state.height !== height || round < state.round) return
  if (round === state.round && RoundStep.prevote <= state.step) return
  yield* signVote(core, SignedMsgType.prevote, yield* choosePrevote(core))
  setStep(core, round, RoundStep.prevote)
  newStep(core)
}

/** What we are locked on, else the proposed block if it is valid, else nil. */
function* choosePrevote(core: Core): Flow<BlockId> {
  const { locked, proposalBlock, proposalParts } = core.state
  if (locked !== undefined) return { hash: locked.hash, partSetHeader: locked.parts.header }
  if (proposalBlock === undefined || proposalParts === undefined) {
    note(core, 'debug', 'no proposal block: prevoting nil')
    return ZERO_BLOCK_ID
  }
  const reason = timeIsAhead(core, proposalBlock) ?? (yield* validate(core, proposalBlock))
  if (reason !== undefined) {
    note(core, 'error', 'the proposed block is invalid: prevoting nil', {
      hash: bytesToHex(proposalBlock.hash),
      reason,
    })
    return ZERO_BLOCK_ID
  }
  if (!(yield* ask({ type: 'processProposal', block: proposalBlock.block }))) {
    note(core, 'error', 'the application rejected the proposed block: prevoting nil', {
      hash: bytesToHex(proposalBlock.hash),
    })
    return ZERO_BLOCK_ID
  }
  return { hash: proposalBlock.hash, partSetHeader: proposalParts.header }
}

/** Only our own prevote looks at our clock: a block that +2/3 precommitted is taken whatever its time. */
function timeIsAhead({ options, now }: Core, { block }: Candidate): string | undefined {
  const { blockTimeTolerance } = options
  if (blockTimeTolerance <= 0n || block.header.time < now() + blockTimeTolerance) return undefined
  return `the block's time is ${(block.header.time - now()) / 1_000_000n} ms ahead of ours`
}

/** Why the block is invalid on this state; asked once a block. */
export function* validate(core: Core, { block }: Candidate): Flow<string | undefined> {
  if (core.validated.has(block)) return undefined
  const reason = yield* ask({ type: 'validateBlock', block })
  if (reason === undefined) core.validated.add(block)
  return reason
}

/** By +2/3 prevotes without one block or nil that has them. */
export function enterPrevoteWait(core: Core, height: number, round: number): void {
  const { state, options } = core
  if (state.height !== height || round < state.round) return
  if (round === state.round && RoundStep.prevoteWait <= state.step) return
  if (state.votes.prevotes(round)?.hasTwoThirdsAny !== true) throw broken('prevote wait without +2/3 prevotes')
  const timeout = timeoutOf(options.timeoutPrevote, options.timeoutPrevoteDelta, round)
  scheduleTimeout(core, timeout, { round, step: RoundStep.prevoteWait })
  setStep(core, round, RoundStep.prevoteWait)
  newStep(core)
}
