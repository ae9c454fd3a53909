import { percentText, shareOf } from '../format/numbers.ts'
import type { SeenVote, VoteKind } from '../live/consensus.ts'

export interface Voter {
  readonly address: string
  readonly power: bigint
}

interface CellsProps {
  readonly kind: VoteKind
  readonly votes: readonly SeenVote[]
  readonly voters: readonly Voter[]
}

type VoteState = 'block' | 'nil' | 'none'

const TEXTS: Readonly<Record<VoteState, string>> = { block: 'for the block', nil: 'for no block', none: 'no vote yet' }
const SIGNS: Readonly<Record<VoteState, string>> = { block: '✓', nil: '∅', none: '·' }
/** Cells that are shown. */
const MOST = 200

/** The votes of one kind in a round: a cell for each validator, and the power behind the block. */
export function VoteCells({ kind, votes, voters }: CellsProps) {
  const found = new Map(votes.filter((vote) => vote.kind === kind).map((vote) => [vote.address, vote]))
  const whole = voters.reduce((sum, { power }) => sum + power, 0n)
  const forBlock = voters.reduce(
    (sum, { address, power }) => ((found.get(address)?.hash ?? '') === '' ? sum : sum + power),
    0n,
  )
  const share = shareOf(forBlock, whole)
  const stateOf = (address: string): VoteState => {
    const vote = found.get(address)
    if (vote === undefined) return 'none'
    return vote.hash === '' ? 'nil' : 'block'
  }
  return (
    <div class="votes">
      <h4>{kind === 'prevote' ? 'Prevotes' : 'Precommits'}</h4>
      <svg
        class="power"
        viewBox="0 0 300 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${percentText(share, 1)} of the power voted for the block`}
      >
        <rect class="empty" width="300" height="10" />
        <rect class={share > 2 / 3 ? 'enough' : 'some'} width={300 * share} height="10" />
        <path class="limit" d="M200 0v10" />
      </svg>
      <span class="share">{percentText(share, 1)}</span>
      <ul>
        {voters.slice(0, MOST).map(({ address }, i) => {
          const state = stateOf(address)
          const at = found.get(address)?.atMs
          return (
            <li
              key={address}
              class={state}
              title={`${address}: ${TEXTS[state]}${at === undefined ? '' : `, after ${at} ms`}`}
            >
              <span aria-hidden="true">{SIGNS[state]}</span>
              <span class="hidden">
                validator {i}: {TEXTS[state]}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
