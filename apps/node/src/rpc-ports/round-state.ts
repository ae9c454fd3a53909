import type { HeightVoteSet, PolkaBlock, RoundState, VoteSet } from '@org/engine/consensus/machine'
import { Block, BlockId, type PartSet } from '@org/types/block'
import { bytesToHex } from '@org/types/bytes'
import { EMPTY_BYTES, type Json } from '@org/types/schema'
import { formatTime, type Time, ZERO_TIME } from '@org/types/time'
import { proposerOf, ValidatorSet, validatorByAddress } from '@org/types/validators'
import { formatVote, Proposal } from '@org/types/vote'

/** Two digits behind the point, a tie to the even digit, as Go prints. */
function twoDigits(value: number): string {
  const isTie = Number.isInteger(value * 8) && !Number.isInteger(value * 4)
  if (!isTie) return value.toFixed(2)
  const below = Math.floor(value * 100)
  return ((below % 2 === 0 ? below : below + 1) / 100).toFixed(2)
}

/** `BA{4:x_x_} 20/40 = 0.50` */
function bitsText(votes: VoteSet): string {
  const { voted, total } = votes.power
  return `BA{${votes.size}:${votes.bits.toString()}} ${voted}/${total} = ${twoDigits(Number(voted) / Number(total))}`
}

const voteTexts = (votes: VoteSet): string[] => votes.votes.map(formatVote)

function roundsToJson(votes: HeightVoteSet): Json {
  const rounds: Json[] = []
  for (let round = 0; round <= votes.round; round++) {
    const prevotes = votes.prevotes(round)
    const precommits = votes.precommits(round)
    if (prevotes === undefined || precommits === undefined) continue
    rounds.push({
      round,
      prevotes: voteTexts(prevotes),
      prevotes_bit_array: bitsText(prevotes),
      precommits: voteTexts(precommits),
      precommits_bit_array: bitsText(precommits),
    })
  }
  return rounds
}

function voteSetToJson(votes: VoteSet | undefined): Json {
  if (votes === undefined) return null
  const claims = [...votes.peerMaj23s].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    votes: voteTexts(votes),
    votes_bit_array: bitsText(votes),
    peer_maj_23s: Object.fromEntries(claims.map(([peer, id]) => [peer, BlockId.toJson(id)])),
  }
}

const blockToJson = (block: Block | undefined): Json => (block === undefined ? null : Block.toJson(block))

const partsToJson = (parts: PartSet | undefined): Json =>
  parts === undefined
    ? null
    : { 'count/total': `${parts.count}/${parts.total}`, parts_bit_array: parts.bits.toString() }

function polkaToJson(name: 'locked' | 'valid', polka: PolkaBlock | undefined): Record<string, Json> {
  return {
    [`${name}_round`]: polka?.round ?? -1,
    [`${name}_block`]: blockToJson(polka?.block),
    [`${name}_block_parts`]: partsToJson(polka?.parts),
  }
}

const timeText = (time: Time | undefined): string => formatTime(time ?? ZERO_TIME)

/** All of it, as `dump_consensus_state` shows it. */
export function roundStateToJson(state: Readonly<RoundState>): Json {
  return {
    height: String(state.height),
    round: state.round,
    step: state.step,
    start_time: timeText(state.startTime),
    commit_time: timeText(state.commitTime),
    validators: ValidatorSet.toJson(state.validators),
    proposal: state.proposal === undefined ? null : Proposal.toJson(state.proposal),
    proposal_block: blockToJson(state.proposalBlock?.block),
    proposal_block_parts: partsToJson(state.proposalParts),
    ...polkaToJson('locked', state.locked),
    ...polkaToJson('valid', state.valid),
    votes: roundsToJson(state.votes),
    commit_round: state.commitRound,
    last_commit: voteSetToJson(state.lastCommit),
    last_validators: ValidatorSet.toJson(state.lastValidators),
    triggered_timeout_precommit: state.triggeredTimeoutPrecommit,
  }
}

/** The short form, as `consensus_state` shows it. */
export function roundStateToSimpleJson(state: Readonly<RoundState>): Json {
  const proposer = proposerOf(state.validators)
  const address = proposer?.address ?? EMPTY_BYTES
  const index = validatorByAddress(state.validators, address)?.index ?? -1
  const hash = (bytes: Uint8Array | undefined): string => (bytes === undefined ? '' : bytesToHex(bytes))
  return {
    'height/round/step': `${state.height}/${state.round}/${state.step}`,
    start_time: timeText(state.startTime),
    proposal_block_hash: hash(state.proposalBlock?.hash),
    locked_block_hash: hash(state.locked?.hash),
    valid_block_hash: hash(state.valid?.hash),
    height_vote_set: roundsToJson(state.votes),
    proposer: { address: bytesToHex(address), index },
  }
}
