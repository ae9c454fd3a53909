import { type BitSet, PartSetHeader } from '@org/types'
import type { Json } from '@org/types/schema'
import { formatTime } from '@org/types/time'
import type { PeerRoundState } from './peer-round-state.ts'

/** The numbers of useful votes and block parts that a peer has sent. */
export interface PeerStats {
  votes: number
  blockParts: number
}

const bits = (set: BitSet | undefined): Json => (set === undefined || set.size === 0 ? null : set.toString())

/** Returns the JSON of a peer in `dump_consensus_state`. */
export function peerStateToJson(state: PeerRoundState, stats: PeerStats): Json {
  return {
    round_state: {
      height: String(state.height),
      round: state.round,
      step: state.step,
      start_time: formatTime(state.startTime),
      proposal: state.proposal,
      proposal_block_part_set_header: PartSetHeader.toJson(state.proposalPartSetHeader),
      proposal_block_parts: bits(state.proposalParts),
      proposal_pol_round: state.proposalPolRound,
      proposal_pol: bits(state.proposalPol),
      prevotes: bits(state.prevotes),
      precommits: bits(state.precommits),
      last_commit_round: state.lastCommitRound,
      last_commit: bits(state.lastCommit),
      catchup_commit_round: state.catchupCommitRound,
      catchup_commit: bits(state.catchupCommit),
    },
    stats: { votes: String(stats.votes), block_parts: String(stats.blockParts) },
  }
}
