import type { Clock, Metrics } from '@org/runtime'
import type { Call, Effect, HeightRoundStep, Result, RoundState } from '../machine/index.ts'
import { createBlockMetrics } from './block-metrics.ts'
import { createRoundMetrics } from './round-metrics.ts'
import { voteType } from './vote-type.ts'

type State = Readonly<RoundState>

/** The reference's metrics of consensus, under its names. */
export interface ConsensusMetrics {
  readonly stepped: (step: HeightRoundStep, state: State) => void
  readonly judged: (judgement: Extract<Effect, { type: 'judgement' }>, state: State) => void
  readonly answered: (call: Call, result: Result, state: State) => void
}

const BY_STATUS = (of: string): string =>
  `The metric is annotated by the status of the ${of} from the application, either 'accepted' or 'rejected'.`

export function createConsensusMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): ConsensusMetrics {
  const round = createRoundMetrics(metrics, clock)
  const committed = createBlockMetrics(metrics)
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.counter({ name: `consensus_${name}`, help, labels })
  const duplicateVote = counter('duplicate_vote', 'Number of times we received a duplicate vote')
  const duplicatePart = counter('duplicate_block_part', 'Number of times we received a duplicate block part')
  const lateVotes = counter(
    'late_votes',
    'LateVotes stores the number of votes that were received by this node that correspond to earlier heights and rounds than this node is currently in.',
    ['vote_type'],
  )
  const proposals = counter(
    'proposal_receive_count',
    `ProposalReceiveCount is the total number of proposals received by this node since process start. ${BY_STATUS('proposal')}`,
    ['status'],
  )
  const created = counter(
    'proposal_create_count',
    `ProposalCreationCount is the total number of proposals created by this node since process start. ${BY_STATUS('proposal')}`,
  )
  const extensions = counter(
    'vote_extension_receive_count',
    `VoteExtensionReceiveCount is the number of vote extensions received by this node. ${BY_STATUS('vote extension')}`,
    ['status'],
  )
  const gossipParts = counter(
    'block_gossip_parts_received',
    'Number of block parts received by the node, separated by whether the part was relevant to the block the node is trying to gather or not.',
    ['matches_current'],
  )
  const status = (accepted: boolean) => ({ status: accepted ? 'accepted' : 'rejected' })

  return {
    stepped: round.stepped,
    judged: ({ message, judgement }, state) => {
      if (message.kind === 'blockPart') {
        const here = message.height === state.height ? state.incoming?.parts.part(message.part.index) : undefined
        const matches = judgement.outcome === 'accept' || (judgement.outcome === 'ignore' && here !== undefined)
        gossipParts.add(1, { matches_current: String(matches) })
        if (judgement.outcome === 'ignore' && matches) duplicatePart.add()
        return
      }
      if (message.kind !== 'vote') return
      const { vote } = message
      const late = vote.height < state.height || (vote.height === state.height && vote.round < state.round)
      if (late) lateVotes.add(1, { vote_type: voteType(vote.type) })
      if (judgement.outcome === 'ignore' && vote.height === state.height) duplicateVote.add()
      if (judgement.outcome !== 'accept' || vote.round !== state.round) return
      round.voted(vote, state)
    },
    answered: (call, result, state) => {
      if (call.type === 'commitBlock') committed(call, state)
      else if (result.type === 'createProposalBlock') created.add()
      else if (result.type === 'processProposal') proposals.add(1, status(result.value))
      else if (result.type === 'verifyVoteExtension') extensions.add(1, status(result.value))
    },
  }
}
