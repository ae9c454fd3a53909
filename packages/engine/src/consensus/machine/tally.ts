import type { BlockId, Vote } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { enterCommit } from './commit.ts'
import { type Core, expectParts, isFor, note, publish, type RuleGenerator } from './core.ts'
import { enterNewRound } from './new-round.ts'
import { enterPrecommit, enterPrecommitWait } from './precommit.ts'
import { enterPrevote, enterPrevoteWait } from './prevote.ts'
import { isProposalComplete } from './propose.ts'
import { readAgreedBlock } from './read-block.ts'
import { RoundStep } from './round-step.ts'
import { hasMajority, hasTwoThirds } from './votes/index.ts'

/** Applies the consequences of a new prevote. */
export function* countPrevote(core: Core, vote: Vote): RuleGenerator {
  const { state } = core
  const { height } = state
  const prevotes = state.votes.prevotes(vote.round)
  if (prevotes === undefined) return
  if (prevotes.majority !== undefined) seePolka(core, vote.round, prevotes.majority)
  if (state.round < vote.round && prevotes.hasTwoThirdsAny) {
    yield* enterNewRound(core, height, vote.round)
  } else if (state.round === vote.round && RoundStep.prevote <= state.step) {
    const polka = prevotes.majority
    if (polka !== undefined && (isProposalComplete(core) || polka.hash.length === 0)) {
      yield* enterPrecommit(core, height, vote.round)
    } else if (hasTwoThirds(prevotes)) {
      enterPrevoteWait(core, prevotes)
    }
  } else if (state.proposal !== undefined && state.proposal.polRound >= 0 && state.proposal.polRound === vote.round) {
    // The vote belongs to the round of the proposal's POL. The proposal counts as complete only when this polka is
    // complete, and this vote may have completed the polka.
    if (isProposalComplete(core)) yield* enterPrevote(core, height, state.round)
  }
}

/**
 * Handles a polka. If the polka is of a later round than the lock, and is not for the locked block, it removes the
 * lock. If the polka is for a block in the current round, this block becomes the valid block.
 */
function seePolka(core: Core, round: number, polka: BlockId): void {
  const { state } = core
  const { locked } = state
  readAgreedBlock(core, polka)
  // A polka of a later round is handled when that round is entered.
  if (locked !== undefined && locked.round < round && round <= state.round && !isFor(locked, polka)) {
    state.locked = undefined
    publish(core, 'Unlock')
  }
  if (polka.hash.length === 0 || round !== state.round || round <= (state.valid?.round ?? -1)) return
  if (isFor(state.incoming, polka)) {
    state.valid = { ...state.incoming, round }
  } else {
    note.debug(core, 'The block of the polka has not been received', { hash: bytesToHex(polka.hash) })
    // If another block was decoded, the machine drops that block and keeps its parts for now. Then the function
    // `expectParts` drops the parts too, unless they are the parts that the polka names. A polka can name the parts of
    // one block and the hash of another block only if a majority is faulty.
    state.incoming &&= { parts: state.incoming.parts }
  }
  expectParts(core, polka.partSetHeader)
  core.emit({ type: 'gossip', hint: { type: 'newValidBlock' } })
  publish(core, 'ValidBlock')
}

/** Applies the consequences of a new precommit. */
export function* countPrecommit(core: Core, vote: Vote): RuleGenerator {
  const { state, options } = core
  const { height } = state
  const precommits = state.votes.precommits(vote.round)
  if (precommits === undefined) return
  if (hasMajority(precommits)) {
    const decided = precommits.majority
    // If the votes are of a later round, this node enters that round first.
    yield* enterNewRound(core, height, vote.round)
    yield* enterPrecommit(core, height, vote.round)
    if (decided.hash.length === 0) {
      enterPrecommitWait(core, precommits)
      return
    }
    yield* enterCommit(core, height, { round: vote.round, blockId: decided, precommits })
    if (options.skipTimeoutCommit && precommits.hasAll) yield* enterNewRound(core, state.height, 0)
  } else if (state.round <= vote.round && hasTwoThirds(precommits)) {
    yield* enterNewRound(core, height, vote.round)
    enterPrecommitWait(core, precommits)
  }
}
