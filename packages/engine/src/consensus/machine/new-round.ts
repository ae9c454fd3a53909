import { copyIncrementProposerPriority, proposerOf, validatorByAddress } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { type Core, note, type RuleGenerator, scheduleTimeout, setStep } from './core.ts'
import { waitsForTxs } from './options.ts'
import { enterPropose } from './propose.ts'
import { RoundStep } from './round-step.ts'

/**
 * Called at the start of the height, at the timeout of the previous round, or with +2/3 votes of a later round. The
 * height may start early if all precommits of the previous height are present and the options allow it to skip the
 * commit timeout.
 */
export function* enterNewRound(core: Core, height: number, round: number): RuleGenerator {
  const { state, options } = core
  if (state.height !== height || round < state.round) return
  if (round === state.round && state.step !== RoundStep.newHeight) return
  if (state.round < round) state.validators = copyIncrementProposerPriority(state.validators, round - state.round)
  setStep(core, round, RoundStep.newRound)
  // A proposal for round 0 may have arrived before the round began, so it is kept.
  if (round !== 0) {
    note.info(core, 'resetting proposal info')
    state.proposal = undefined
    // If an earlier round decided a block, its parts are kept: this node commits the block when it has all parts. If
    // the other validators have committed the block already, no later round decides a block.
    if (state.decision === undefined) state.incoming = undefined
  }
  // Votes of the next round are kept before that round begins. If +2/3 vote in it, this node enters it.
  state.votes.setRound(round + 1)
  state.triggeredTimeoutPrecommit = false
  publishNewRound(core)
  if (waitsForTxs(options) && round === 0 && !needsProofBlock(core)) {
    if (options.createEmptyBlocksInterval > 0n) {
      scheduleTimeout(core, options.createEmptyBlocksInterval, { round, step: RoundStep.newRound })
    }
    return
  }
  yield* enterPropose(core, height, round)
}

function publishNewRound({ state, emit }: Core): void {
  const { height, round, step } = state
  const address = proposerOf(state.validators)?.address ?? new Uint8Array(0)
  const index = validatorByAddress(state.validators, address)?.index ?? -1
  emit({ type: 'publish', event: { type: 'NewRound', height, round, step, proposer: { address, index } } })
}

/**
 * Returns true for the first block, and if the app hash has changed. Such a block is made even without transactions, so
 * that the validators sign the new app hash.
 */
function needsProofBlock({ state }: Core): boolean {
  if (state.height === state.chain.initialHeight || state.lastHeaderAppHash === undefined) return true
  return !equalBytes(state.chain.appHash, state.lastHeaderAppHash)
}

/** Called when transactions arrive while the machine waits for them. Only round 0 waits. */
export function* handleTxsAvailable(core: Core): RuleGenerator {
  const { state } = core
  if (state.round !== 0) return
  if (state.step === RoundStep.newHeight) {
    if (needsProofBlock(core)) return
    // This timeout replaces the pending timeout that would begin round 0. The additional millisecond is the
    // reference's.
    const duration = state.startTime - core.now() + 1_000_000n
    scheduleTimeout(core, duration, { round: 0, step: RoundStep.newRound })
  } else if (state.step === RoundStep.newRound) {
    yield* enterPropose(core, state.height, 0)
  }
}
