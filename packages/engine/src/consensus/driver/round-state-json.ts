import { Block, BlockId, formatVote, Proposal, proposerOf, ValidatorSet, validatorByAddress } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { Json } from '@org/types/schema'
import { formatTime, ZERO_TIME } from '@org/types/time'
import type { HeightVoteSet, RoundState, VoteSet } from '../machine/index.ts'

/** Returns which validators of a vote set voted, and their power, as text such as `BA{4:xx__} 20/40 = 0.50`. */
function bitArrayText(set: VoteSet): string {
  const { voted, total } = set.power
  return `BA{${set.size}:${set.bits}} ${voted}/${total} = ${(Number(voted) / Number(total)).toFixed(2)}`
}

function voteTexts(set: VoteSet): string[] {
  return set.votes.map(formatVote)
}

/**
 * Returns the votes of each round as JSON, from round 0 on. Rounds whose votes this node does not keep are left out.
 */
function heightVotesToJson(votes: HeightVoteSet): Json {
  return Array.from({ length: votes.round + 1 }, (_, round) => {
    const prevotes = votes.prevotes(round) as VoteSet
    const precommits = votes.precommits(round) as VoteSet
    return {
      round,
      prevotes: voteTexts(prevotes),
      prevotes_bit_array: bitArrayText(prevotes),
      precommits: voteTexts(precommits),
      precommits_bit_array: bitArrayText(precommits),
    }
  })
}

function voteSetToJson(set: VoteSet | undefined): Json {
  if (set === undefined) return null
  const claims = [...set.peerMaj23s].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    votes: voteTexts(set),
    votes_bit_array: bitArrayText(set),
    peer_maj_23s: Object.fromEntries(claims.map(([peer, id]) => [peer, BlockId.toJson(id)])),
  }
}

/** Returns the whole round state as JSON, as `dump_consensus_state` shows it. */
export function roundStateToJson(state: Readonly<RoundState>): Json {
  const { locked, valid } = state
  const block = (value: { block?: Block | undefined } | undefined): Json =>
    value?.block === undefined ? null : Block.toJson(value.block)
  return {
    height: String(state.height),
    round: state.round,
    step: state.step,
    start_time: formatTime(state.startTime),
    commit_time: formatTime(state.commitTime ?? ZERO_TIME),
    validators: ValidatorSet.toJson(state.validators),
    proposal: state.proposal === undefined ? null : Proposal.toJson(state.proposal),
    proposal_block: block(state.incoming),
    proposal_block_parts: state.incoming?.parts.toJSON() ?? null,
    locked_round: locked?.round ?? -1,
    locked_block: block(locked),
    locked_block_parts: locked?.parts.toJSON() ?? null,
    valid_round: valid?.round ?? -1,
    valid_block: block(valid),
    valid_block_parts: valid?.parts.toJSON() ?? null,
    votes: heightVotesToJson(state.votes),
    commit_round: state.decision?.round ?? -1,
    last_commit: voteSetToJson(state.lastCommit),
    last_validators: ValidatorSet.toJson(state.lastValidators),
    triggered_timeout_precommit: state.triggeredTimeoutPrecommit,
  }
}

/** Returns the short form of the round state as JSON, as `consensus_state` shows it. */
export function roundStateSimpleToJson(state: Readonly<RoundState>): Json {
  const hash = (value: { hash?: Uint8Array | undefined } | undefined): string =>
    bytesToHex(value?.hash ?? new Uint8Array(0))
  const proposer = proposerOf(state.validators)
  const address = proposer?.address ?? new Uint8Array(0)
  return {
    'height/round/step': `${state.height}/${state.round}/${state.step}`,
    start_time: formatTime(state.startTime),
    proposal_block_hash: hash(state.incoming),
    locked_block_hash: hash(state.locked),
    valid_block_hash: hash(state.valid),
    height_vote_set: heightVotesToJson(state.votes),
    proposer: { address: bytesToHex(address), index: validatorByAddress(state.validators, address)?.index ?? -1 },
  }
}
