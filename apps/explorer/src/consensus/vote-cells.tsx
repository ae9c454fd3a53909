import { hexOf } from '../format/bytes.ts'
import { numberText, percentText, shareOf } from '../format/numbers.ts'
import { durationText } from '../format/times.ts'
import { powerOf, type Validator } from '../live/validator-set.ts'
import type { SeenVote, VoteKind } from './round-history.ts'

interface CellsProps {
  readonly kind: VoteKind
  readonly votes: readonly SeenVote[]
  readonly validators: readonly Validator[]
}

type VoteState = 'block' | 'nil' | 'none'

const TEXTS: Readonly<Record<VoteState, string>> = { block: 'for the block', nil: 'for no block', none: 'no vote yet' }
const SIGNS: Readonly<Record<VoteState, string>> = { block: '✓', nil: '∅', none: '·' }
/** The maximum number of validators whose cells are shown. */
const MOST = 250

function stateOf(vote: SeenVote | undefined): VoteState {
  if (vote === undefined) return 'none'
  return vote.hash === '' ? 'nil' : 'block'
}

/**
 * Draws a bar with two parts: the share of the power that voted for the block, and the share that voted for no block.
 * The bar has a mark at two thirds of the power.
 */
function PowerBar({ block, nil }: { readonly block: number; readonly nil: number }) {
  return (
    <svg
      class="power"
      viewBox="0 0 300 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${percentText(block, 1)} of the power voted for the block, ${percentText(nil, 1)} for no block`}
    >
      <rect class="empty" width="300" height="10" />
      <rect class={block > 2 / 3 ? 'enough' : 'some'} width={300 * block} height="10" />
      <rect class="nil" x={300 * block} width={300 * nil} height="10" />
      <path class="limit" d="M200 0v10" />
    </svg>
  )
}

function Cell({ validator, vote }: { readonly validator: Validator; readonly vote: SeenVote | undefined }) {
  const state = stateOf(vote)
  const after = vote?.atMs === undefined ? '' : `, ${durationText(vote.atMs)} after the start of the height`
  const text = `${hexOf(validator.address).slice(0, 12)}: ${TEXTS[state]}${after}`
  return (
    <li class={state} title={text}>
      <span aria-hidden="true">{SIGNS[state]}</span>
      <span class="hidden">{text}</span>
    </li>
  )
}

/** Shows the votes of one kind in a round: the power of the votes, and a cell for each validator. */
export function VoteCells({ kind, votes, validators }: CellsProps) {
  const found = new Map(votes.filter((vote) => vote.kind === kind).map((vote) => [vote.validator, vote]))
  const whole = powerOf(validators)
  const share = (state: VoteState): number =>
    shareOf(powerOf(validators.filter((_validator, i) => stateOf(found.get(i)) === state)), whole)
  return (
    <div class="votes">
      <h4>{kind === 'prevote' ? 'Prevotes' : 'Precommits'}</h4>
      <PowerBar block={share('block')} nil={share('nil')} />
      <span class="share">{percentText(share('block'), 1)}</span>
      <ul>
        {validators.slice(0, MOST).map((validator, i) => (
          <Cell key={hexOf(validator.address)} validator={validator} vote={found.get(i)} />
        ))}
        {validators.length > MOST ? <li class="rest">+{numberText(validators.length - MOST)}</li> : null}
      </ul>
    </div>
  )
}
