import { type BlockId, SignedMsgType, ZERO_BLOCK_ID } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import {
  type Core,
  expectParts,
  isFor,
  newStep,
  note,
  publish,
  type RuleGenerator,
  scheduleTimeout,
  setStep,
} from './core.ts'
import { MACHINE_ERRORS, MachineError } from './errors.ts'
import { timeoutOf } from './options.ts'
import { validate } from './prevote.ts'
import type { PolkaBlock } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import { signVote } from './sign.ts'
import type { TwoThirdsVotes } from './votes/index.ts'

/** Called when there is a polka or +2/3 precommits in the round, or at the timeout of the wait for prevotes. */
export function* enterPrecommit(core: Core, height: number, round: number): RuleGenerator {
  const { state } = core
  if (state.height !== height || round < state.round) return
  if (round === state.round && RoundStep.precommit <= state.step) return
  const polka = state.votes.prevotes(round)?.majority
  if (polka === undefined) yield* precommitNil(core)
  else yield* followPolka(core, round, polka)
  setStep(core, round, RoundStep.precommit)
  newStep(core)
}

function* precommitNil(core: Core): RuleGenerator {
  yield* signVote(core, { type: SignedMsgType.precommit, blockId: ZERO_BLOCK_ID })
}

function unlock(core: Core): void {
  if (core.state.locked === undefined) return
  core.state.locked = undefined
  publish(core, 'Unlock')
}

function* followPolka(core: Core, round: number, polka: BlockId): RuleGenerator {
  const { state } = core
  publish(core, 'Polka')
  if (polka.hash.length === 0) {
    unlock(core)
    yield* precommitNil(core)
  } else if (isFor(state.locked, polka)) {
    state.locked = { ...state.locked, round }
    publish(core, 'Relock')
    yield* signVote(core, { type: SignedMsgType.precommit, blockId: polka, block: state.locked.block })
  } else if (isFor(state.incoming, polka)) {
    yield* lock(core, { ...state.incoming, round }, polka)
  } else {
    yield* fetchPolkaBlock(core, polka)
  }
}

function* lock(core: Core, received: PolkaBlock, polka: BlockId): RuleGenerator {
  const reason = yield* validate(core, received, true)
  if (reason !== undefined) {
    const message = `+2/3 prevoted for an invalid block: ${reason}`
    throw new MachineError(MACHINE_ERRORS.polkaForInvalidBlock, message, { data: { reason } })
  }
  core.state.locked = received
  publish(core, 'Lock')
  yield* signVote(core, { type: SignedMsgType.precommit, blockId: polka, block: received.block })
}

/** Handles a polka for a missing block: removes the lock, expects the parts of the block, and precommits nil. */
function* fetchPolkaBlock(core: Core, polka: BlockId): RuleGenerator {
  const { state } = core
  note.debug(core, 'Precommitting nil: the block of the polka has not been received', {
    hash: bytesToHex(polka.hash),
  })
  state.locked = undefined
  expectParts(core, polka.partSetHeader)
  publish(core, 'Unlock')
  yield* precommitNil(core)
}

/**
 * Called when +2/3 have precommitted, but not for one block: the votes are for nil or for different blocks. Schedules
 * the end of the round.
 */
export function enterPrecommitWait(core: Core, precommits: TwoThirdsVotes): void {
  const { state, options } = core
  const { height, round } = precommits.options
  if (state.height !== height || round < state.round) return
  if (round === state.round && state.triggeredTimeoutPrecommit) return
  const timeout = timeoutOf(options.timeoutPrecommit, options.timeoutPrecommitDelta, round)
  scheduleTimeout(core, timeout, { round, step: RoundStep.precommitWait })
  state.triggeredTimeoutPrecommit = true
  newStep(core)
}
