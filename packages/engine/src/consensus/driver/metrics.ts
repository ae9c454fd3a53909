import type { Clock, Metrics } from '@org/runtime'
import { BlockIdFlag } from '@org/types/block'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { proposerOf, totalVotingPower, validatorByAddress } from '@org/types/validators'
import { SignedMsgType } from '@org/types/vote'
import {
  type Call,
  type Effect,
  type HeightRoundStep,
  type Result,
  type RoundState,
  RoundStep,
  roundStepName,
} from '../machine/index.ts'
import { voteDelays } from './vote-delays.ts'

type State = Readonly<RoundState>
type CommitCall = Extract<Call, { type: 'commitBlock' }>

/** The reference's metrics of consensus, under its names. */
export interface ConsensusMetrics {
  readonly stepped: (step: HeightRoundStep, state: State) => void
  readonly judged: (verdict: Extract<Effect, { type: 'verdict' }>, state: State) => void
  readonly answered: (call: Call, result: Result, state: State) => void
}

/** The reference's eight buckets from 0.1 to 100 seconds, with its values. */
const SECONDS: readonly number[] = [
  0.1, 0.2682695795279726, 0.7196856730011522, 1.9306977288832508, 5.1794746792312125, 13.894954943731381,
  37.27593720314942, 100.00000000000006,
]

const BY_STATUS = (of: string): string =>
  `The metric is annotated by the status of the ${of} from the application, either 'accepted' or 'rejected'.`
const voteType = (type: number): string => (type === SignedMsgType.prevote ? 'prevote' : 'precommit')

export function createConsensusMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic' | 'now'>): ConsensusMetrics {
  const gauge = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.gauge({ name: `consensus_${name}`, help, labels })
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.counter({ name: `consensus_${name}`, help, labels })
  const height = gauge('height', 'Height of the chain.')
  const rounds = gauge('rounds', 'Number of rounds.')
  const roundDuration = metrics.histogram({
    name: 'consensus_round_duration_seconds',
    help: 'Histogram of round duration.',
    buckets: SECONDS,
  })
  const stepDuration = metrics.histogram({
    name: 'consensus_step_duration_seconds',
    help: 'Histogram of durations for each step in the consensus protocol.',
    labels: ['step'],
    buckets: SECONDS,
  })
  const blockInterval = metrics.histogram({
    name: 'consensus_block_interval_seconds',
    help: 'Time between this and the last block.',
  })
  const validators = gauge('validators', 'Number of validators.')
  const validatorsPower = gauge('validators_power', 'Total power of all validators.')
  const missing = gauge('missing_validators', 'Number of validators who did not sign.')
  const missingPower = gauge('missing_validators_power', 'Total power of the missing validators.')
  const byzantine = gauge('byzantine_validators', 'Number of validators who tried to double sign.')
  const byzantinePower = gauge('byzantine_validators_power', 'Total power of the byzantine validators.')
  const ownLabels = ['validator_address']
  const ownPower = gauge('validator_power', 'Power of a validator.', ownLabels)
  const ownSigned = gauge(
    'validator_last_signed_height',
    'Last height signed by this validator if the node is a validator.',
    ownLabels,
  )
  const ownMissed = gauge('validator_missed_blocks', 'Amount of blocks missed per validator.', ownLabels)
  const numTxs = gauge('num_txs', 'Number of transactions.')
  const totalTxs = gauge('total_txs', 'Total number of transactions.')
  const blockSize = gauge('block_size_bytes', 'Size of the block.')
  const chainSize = counter('chain_size_bytes', 'Size of the chain in bytes.')
  const latest = gauge('latest_block_height', 'The latest block height.')
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
  const roundPower = gauge(
    'round_voting_power_percent',
    'RoundVotingPowerPercent is the percentage of the total voting power received with a round. The value begins at 0 for each round and approaches 1.0 as additional voting power is observed. The metric is labeled by vote type.',
    ['vote_type'],
  )
  const gossipParts = counter(
    'block_gossip_parts_received',
    'Number of block parts received by the node, separated by whether the part was relevant to the block the node is trying to gather or not.',
    ['matches_current'],
  )
  const delay = (name: string, what: string) =>
    gauge(name, `Interval in seconds between the proposal timestamp and the timestamp of the ${what}.`, [
      'proposer_address',
    ])
  const quorumPrevote = delay('quorum_prevote_delay', 'earliest prevote that achieved a quorum')
  const quorumPrecommit = delay('quorum_precommit_delay', 'earliest precommit that achieved a quorum')
  const fullPrevote = delay('full_prevote_delay', 'latest prevote in a round where all validators voted')
  const precommitsCounted = gauge(
    'precommits_counted',
    'PrecommitsCounted is the number of precommit votes counted after the timeout commit period has ended.',
  )
  const precommitsStake = gauge(
    'precommits_staking_percentage',
    'PrecommitsStakingPercentage is the voting power percentage of precommit votes once the timeout commit period has ended.',
  )
  const status = (accepted: boolean) => ({ status: accepted ? 'accepted' : 'rejected' })
  let last: { readonly step: HeightRoundStep; readonly at: number } | undefined
  let roundStart = clock.monotonic()
  let lastBlockTime: bigint | undefined

  function committed({ block, parts }: CommitCall, state: State): void {
    const set = state.validators
    validators.set(set.validators.length)
    validatorsPower.set(Number(totalVotingPower(set)))
    signed(block, state)
    delayed(state)
    const offenders = block.evidence.evidence.flatMap(({ sum }) => {
      if (sum?.case !== 'duplicateVoteEvidence' || sum.value.voteA === undefined) return []
      return validatorByAddress(set, sum.value.voteA.validatorAddress)?.validator ?? []
    })
    byzantine.set(offenders.length)
    byzantinePower.set(offenders.reduce((sum, { votingPower }) => sum + Number(votingPower), 0))
    if (lastBlockTime !== undefined) blockInterval.observe(Number(block.header.time - lastBlockTime) / 1e9)
    lastBlockTime = block.header.time
    numTxs.set(block.data.txs.length)
    totalTxs.add(block.data.txs.length)
    blockSize.set(parts.byteSize)
    chainSize.add(parts.byteSize)
    latest.set(block.header.height)
  }

  function signed({ header, lastCommit }: CommitCall['block'], state: State): void {
    let count = 0
    let power = 0
    for (const [i, { blockIdFlag }] of (lastCommit?.signatures ?? []).entries()) {
      const validator = state.lastValidators.validators[i]
      if (validator === undefined) continue
      if (blockIdFlag === BlockIdFlag.absent) {
        count++
        power += Number(validator.votingPower)
      }
      if (state.address === undefined || !equalBytes(validator.address, state.address)) continue
      // The signature of an absent validator has no address.
      const label = { validator_address: bytesToHex(validator.address) }
      ownPower.set(Number(validator.votingPower), label)
      if (blockIdFlag === BlockIdFlag.commit) ownSigned.set(header.height, label)
      else ownMissed.add(1, label)
    }
    missing.set(count)
    missingPower.set(power)
  }

  function delayed({ proposal, validators: set, votes, round }: State): void {
    const proposer = proposerOf(set)
    if (proposal === undefined || proposer === undefined) return
    const label = { proposer_address: bytesToHex(proposer.address) }
    const prevotes = voteDelays(votes.prevotes(round)?.votes ?? [], set, proposal.timestamp)
    const precommits = voteDelays(votes.precommits(round)?.votes ?? [], set, proposal.timestamp)
    if (prevotes.quorum !== undefined) quorumPrevote.set(prevotes.quorum, label)
    if (prevotes.full !== undefined) fullPrevote.set(prevotes.full, label)
    if (precommits.quorum !== undefined) quorumPrecommit.set(precommits.quorum, label)
  }

  /** Records the votes that had arrived when the wait for further precommits of a round ended. */
  function waited({ votes }: State, round: number): void {
    const precommits = votes.precommits(round)
    if (precommits === undefined) return
    const { voted, total } = precommits.power
    precommitsCounted.set(precommits.votes.filter((vote) => vote !== undefined).length)
    precommitsStake.set(Number(voted) / Number(total))
  }

  return {
    stepped: (step, state) => {
      const at = clock.monotonic()
      if (last !== undefined) {
        const name = roundStepName(last.step.step).replace('RoundStep', '')
        stepDuration.observe((at - last.at) / 1000, { step: name })
        if (last.step.height !== step.height || last.step.round !== step.round) {
          if (last.step.height === step.height) waited(state, last.step.round)
          rounds.set(last.step.round)
          roundDuration.observe((at - roundStart) / 1000)
          roundStart = at
          roundPower.set(0, { vote_type: 'prevote' })
          roundPower.set(0, { vote_type: 'precommit' })
        }
      }
      if (step.step === RoundStep.newHeight || last === undefined) height.set(step.height)
      last = { step, at }
    },
    judged: ({ message, verdict }, state) => {
      if (message.kind === 'blockPart') {
        const here = message.height === state.height ? state.proposalParts?.part(message.part.index) : undefined
        const matches = verdict.outcome === 'accept' || (verdict.outcome === 'ignore' && here !== undefined)
        gossipParts.add(1, { matches_current: String(matches) })
        if (verdict.outcome === 'ignore' && matches) duplicatePart.add()
        return
      }
      if (message.kind !== 'vote') return
      const { vote } = message
      const late = vote.height < state.height || (vote.height === state.height && vote.round < state.round)
      if (late) lateVotes.add(1, { vote_type: voteType(vote.type) })
      if (verdict.outcome === 'ignore' && vote.height === state.height) duplicateVote.add()
      if (verdict.outcome !== 'accept' || vote.round !== state.round) return
      const power = state.validators.validators[vote.validatorIndex]?.votingPower ?? 0n
      roundPower.add(Number(power) / Number(totalVotingPower(state.validators)), { vote_type: voteType(vote.type) })
    },
    answered: (call, result, state) => {
      if (call.type === 'commitBlock') committed(call, state)
      else if (result.type === 'createProposalBlock') created.add()
      else if (result.type === 'processProposal') proposals.add(1, status(result.value))
      else if (result.type === 'verifyVoteExtension') extensions.add(1, status(result.value))
    },
  }
}
