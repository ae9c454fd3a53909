import { isPrecommitForBlock, SignedMsgType, type Vote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { type Core, callDriver, judge, note, type Received, type RuleGenerator } from './core.ts'
import type { Judgement } from './effect.ts'
import type { ConsensusMessage } from './message.ts'
import { enterNewRound } from './new-round.ts'
import { extensionsEnabled } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import { countPrecommit, countPrevote } from './tally.ts'
import {
  VOTE_REFUSAL_REASONS,
  VOTE_REFUSALS,
  type VoteAddition,
  type VoteRefusal,
  type VoteSet,
} from './votes/index.ts'

/** The `peerId` of this node's own messages. */
const OWN = ''

type VoteInput = Received<Extract<ConsensusMessage, { kind: 'vote' }>>

/** Processes a vote of the present height, or a late precommit of the last height. */
export function* receiveVote(core: Core, received: VoteInput): RuleGenerator {
  const { state } = core
  const { vote } = received.message
  if (vote.height + 1 === state.height && vote.type === SignedMsgType.precommit) {
    yield* receiveLatePrecommit(core, received)
  } else if (vote.height !== state.height) {
    judge(core, received, { outcome: 'ignore', reason: 'the vote is for another height' })
  } else {
    const set = state.votes.setFor(vote, received.peerId)
    if (typeof set === 'string') {
      judge(core, received, rejectVote(set))
      return
    }
    // After a restart, this node's own vote may be in the vote set before the machine signs the vote again: a peer has
    // sent the vote, or the replay of the WAL has added it. When the machine then signs the vote, the vote is not new.
    // The machine must count this vote too, because no further vote may arrive that could end the step.
    const isNew = handleAddition(core, received, yield* addChecked(core, set, vote))
    if (!isNew && received.peerId !== OWN) return
    if (vote.type === SignedMsgType.prevote) yield* countPrevote(core, vote)
    else yield* countPrecommit(core, vote)
  }
}

/**
 * Adds a vote if the application accepts its extension. This function checks the vote first, so the application
 * receives no duplicate and no forged vote.
 */
function* addChecked(core: Core, set: VoteSet, vote: Vote): RuleGenerator<VoteAddition> {
  const { state } = core
  const check = set.check(vote)
  if (check.kind !== 'new') return check
  const ours = state.signerAddress !== undefined && equalBytes(vote.validatorAddress, state.signerAddress)
  if (!ours && isPrecommitForBlock(vote) && extensionsEnabled(state.chain, vote.height)) {
    if (!(yield* callDriver({ type: 'verifyVoteExtension', vote }))) {
      return { kind: 'refused', refusal: VOTE_REFUSALS.rejectedExtension }
    }
  }
  return set.addChecked(vote, check.validator)
}

function rejectVote(code: VoteRefusal): Judgement {
  const isForged = code === VOTE_REFUSALS.invalidSignature
  return { outcome: 'reject', code, reason: VOTE_REFUSAL_REASONS[code], ...(isForged ? { fault: 'forged' } : {}) }
}

/**
 * Emits the judgement on the vote, the two votes if they conflict, and the gossip hint `hasVote`. Returns true if the
 * vote was added.
 */
function handleAddition(core: Core, received: VoteInput, addition: VoteAddition): boolean {
  const { state, emit } = core
  const { vote } = received.message
  if (addition.kind === 'duplicate') {
    judge(core, received, { outcome: 'ignore', reason: 'the vote was received before' })
    return false
  }
  if (addition.kind === 'refused') {
    judge(core, received, rejectVote(addition.refusal))
    return false
  }
  if (addition.kind === 'conflict') {
    if (state.signerAddress !== undefined && equalBytes(vote.validatorAddress, state.signerAddress)) {
      note.error(core, 'found conflicting vote from ourselves; did you unsafe_reset a validator?', {
        type: vote.type,
      })
    } else {
      emit({ type: 'conflictingVotes', votes: [addition.existing, vote] })
    }
    if (!addition.added) {
      judge(core, received, { outcome: 'accept' })
      return false
    }
  }
  judge(core, received, { outcome: 'accept' })
  emit({ type: 'publish', event: { type: 'Vote', vote } })
  emit({ type: 'gossip', hint: { type: 'hasVote', vote } })
  return true
}

/**
 * Processes a late precommit of the last height. The precommit is added to the last commit, as long as round 0 of the
 * new height has not begun.
 */
function* receiveLatePrecommit(core: Core, received: VoteInput): RuleGenerator {
  const { state, options } = core
  const { lastCommit } = state
  if (state.step !== RoundStep.newHeight || lastCommit === undefined) {
    judge(core, received, { outcome: 'ignore', reason: 'the vote came too late for the last commit' })
    return
  }
  if (!handleAddition(core, received, lastCommit.add(received.message.vote))) return
  if (options.skipTimeoutCommit && lastCommit.hasAll) yield* enterNewRound(core, state.height, 0)
}
