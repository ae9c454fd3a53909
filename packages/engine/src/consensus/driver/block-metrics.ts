import type { Metrics } from '@org/runtime'
import { BlockIdFlag, proposerOf, totalVotingPower, validatorByAddress } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { Call, RoundState } from '../machine/index.ts'
import { voteDelays } from './vote-delays.ts'

type State = Readonly<RoundState>
type CommitCall = Extract<Call, { type: 'commitBlock' }>

/**
 * Records the metrics of a block that is being committed: its size, its signatures, and the times from the proposal to
 * the votes.
 */
export function createBlockMetrics(metrics: Metrics): (call: CommitCall, state: State) => void {
  const gauge = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.gauge({ name: `consensus_${name}`, help, labels })
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.counter({ name: `consensus_${name}`, help, labels })
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
  const delay = (name: string, what: string) =>
    gauge(name, `Interval in seconds between the proposal timestamp and the timestamp of the ${what}.`, [
      'proposer_address',
    ])
  const quorumPrevote = delay('quorum_prevote_delay', 'earliest prevote that achieved a quorum')
  const quorumPrecommit = delay('quorum_precommit_delay', 'earliest precommit that achieved a quorum')
  const fullPrevote = delay('full_prevote_delay', 'latest prevote in a round where all validators voted')
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
      if (state.signerAddress === undefined || !equalBytes(validator.address, state.signerAddress)) continue
      // An absent validator has no address in the commit, so the address comes from the validator set.
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

  return committed
}
