import { brief } from '../format/bytes.ts'
import { counted } from '../format/numbers.ts'
import { durationText } from '../format/times.ts'
import type { Validator } from '../live/validator-set.ts'
import { linkTo } from '../route.ts'
import type { SeenRound } from './round-history.ts'
import { VoteCells } from './vote-cells.tsx'

const STEPS: readonly (readonly [step: string, name: string])[] = [
  ['RoundStepNewRound', 'New round'],
  ['RoundStepPropose', 'Propose'],
  ['RoundStepPrevote', 'Prevote'],
  ['RoundStepPrevoteWait', 'Prevote wait'],
  ['RoundStepPrecommit', 'Precommit'],
  ['RoundStepPrecommitWait', 'Precommit wait'],
  ['RoundStepCommit', 'Commit'],
]
const PREVOTE_STEP = 2
/** The maximum number of parts of a block that are drawn. */
const MAX_PARTS = 200

const positionOf = (step: string): number => STEPS.findIndex(([name]) => name === step)

/**
 * Shows the steps of a round in their order. A round has the steps `Prevote wait` and `Precommit wait` only if votes
 * disagree or are missing.
 */
function Rail({ round }: { readonly round: SeenRound }) {
  const at = positionOf(round.step)
  return (
    <ol class="rail" aria-label={`Steps of round ${round.round}`}>
      {STEPS.map(([step, name], i) => (
        <li
          key={step}
          class={i < at ? (round.visited.includes(step) ? 'past' : 'skipped') : undefined}
          aria-current={i === at ? 'step' : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  )
}

/** Shows which parts of the block have arrived. */
function Parts({ parts }: { readonly parts: readonly boolean[] }) {
  if (parts.length === 0) return null
  const arrived = parts.filter((is) => is).length
  const label = `${arrived} of ${counted(parts.length, 'part')} of the block arrived`
  return (
    <svg class="parts" viewBox={`0 0 ${Math.min(parts.length, MAX_PARTS) * 9} 10`} role="img" aria-label={label}>
      <title>{label}</title>
      {parts.slice(0, MAX_PARTS).map((is, i) => (
        <rect key={i} class={is ? 'arrived' : 'missing'} x={i * 9} width="7" height="10" />
      ))}
    </svg>
  )
}

function ProposalText({ round }: { readonly round: SeenRound }) {
  const { proposal, lockMs, step } = round
  if (proposal === undefined)
    return (
      <span class="dim">
        {positionOf(step) >= PREVOTE_STEP ? 'The page saw no complete block in this round.' : 'No complete block yet.'}
      </span>
    )
  return (
    <>
      Block <code>{brief(proposal.hash, 12)}</code>, {counted(proposal.parts, 'part')}, complete after{' '}
      {durationText(proposal.atMs)}.{' '}
      {lockMs === undefined ? null : <strong class="lock-mark">locked after {durationText(lockMs)}</strong>}
    </>
  )
}

interface RoundProps {
  readonly round: SeenRound
  readonly validators: readonly Validator[]
  /**
   * One item for each part of the block: true if the node had received the part when it last answered
   * `dump_consensus_state`.
   */
  readonly parts: readonly boolean[]
}

/** Shows one round: its steps, its block and its votes. */
export function Round({ round, validators, parts }: RoundProps) {
  const { proposer, proposal, votes } = round
  const shown = proposal === undefined ? parts : Array.from({ length: Math.min(proposal.parts, 2000) }, () => true)
  return (
    <section class="round" aria-label={`Round ${round.round}`}>
      <h3>
        Round {round.round}
        {proposer === '' ? null : (
          <span class="dim">
            {' '}
            proposed by <a href={linkTo('validators', proposer)}>{brief(proposer, 12)}</a>
          </span>
        )}
      </h3>
      <Rail round={round} />
      <p class="proposal-line">
        <span>
          <ProposalText round={round} />
        </span>
        <Parts parts={shown} />
      </p>
      <VoteCells kind="prevote" votes={votes} validators={validators} />
      <VoteCells kind="precommit" votes={votes} validators={validators} />
    </section>
  )
}
