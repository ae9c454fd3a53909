import type { Clock, Metrics } from '@org/runtime'
import { totalVotingPower, type Vote } from '@org/types'
import { type HeightRoundStep, type RoundState, RoundStep, roundStepName } from '../machine/index.ts'
import { voteType } from './vote-type.ts'

type State = Readonly<RoundState>

/**
 * The buckets of the histograms of durations, in seconds. They have exactly the values of the reference's eight
 * buckets.
 */
const SECONDS: readonly number[] = [
  0.1, 0.2682695795279726, 0.7196856730011522, 1.9306977288832508, 5.1794746792312125, 13.894954943731381,
  37.27593720314942, 100.00000000000006,
]

/** The metrics of steps and rounds. */
export interface RoundMetrics {
  readonly stepped: (step: HeightRoundStep, state: State) => void
  /** Records an accepted vote of the current round. */
  readonly voted: (vote: Vote, state: State) => void
}

export function createRoundMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): RoundMetrics {
  const gauge = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.gauge({ name: `consensus_${name}`, help, labels })
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
  const roundPower = gauge(
    'round_voting_power_percent',
    'RoundVotingPowerPercent is the percentage of the total voting power received with a round. The value begins at 0 for each round and approaches 1.0 as additional voting power is observed. The metric is labeled by vote type.',
    ['vote_type'],
  )
  const precommitsCounted = gauge(
    'precommits_counted',
    'PrecommitsCounted is the number of precommit votes counted after the timeout commit period has ended.',
  )
  const precommitsStake = gauge(
    'precommits_staking_percentage',
    'PrecommitsStakingPercentage is the voting power percentage of precommit votes once the timeout commit period has ended.',
  )
  let last: { readonly step: HeightRoundStep; readonly at: number } | undefined
  let roundStart = clock.monotonic()

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
    voted: (vote, state) => {
      const power = state.validators.validators[vote.validatorIndex]?.votingPower ?? 0n
      roundPower.add(Number(power) / Number(totalVotingPower(state.validators)), { vote_type: voteType(vote.type) })
    },
  }
}
