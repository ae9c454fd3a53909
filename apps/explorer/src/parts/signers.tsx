import type { RpcMethods } from '@org/rpc/client'
import { hexOf } from '../format/bytes.ts'
import { numberText, percentText, shareOf } from '../format/numbers.ts'
import { powerOf, type ValidatorList } from '../live/validator-set.ts'
import { linkTo } from '../route.ts'

type Commit = NonNullable<NonNullable<Awaited<ReturnType<RpcMethods['commit']>>>['signedHeader']['commit']>

interface SignersProps {
  readonly commit: Commit | undefined
  readonly validators: ValidatorList
  /**
   * True if the block is the newest one. Its signatures may still change, because the next block decides which
   * signatures the commit has.
   */
  readonly isNewest: boolean
}

const SIGNED = 2
const NIL = 3

const STATES = {
  signed: 'signed',
  nil: 'voted for no block',
  missed: 'did not sign',
} as const

type State = keyof typeof STATES

function stateOf(flag: number | undefined): State {
  if (flag === SIGNED) return 'signed'
  return flag === NIL ? 'nil' : 'missed'
}

/** The maximum number of validators without a signature that are listed. */
const MAX_NAMED = 20

/** Shows the validators that signed a block, and the validators that did not. */
export function Signers({ commit, validators: { list, total }, isNewest }: SignersProps) {
  if (commit === undefined) return <p class="dim">The node has no commit of this block.</p>
  const flags = new Map(
    commit.signatures.map(({ validatorAddress, blockIdFlag }) => [hexOf(validatorAddress), blockIdFlag]),
  )
  const rows = list.map(({ address, votingPower }) => {
    const hex = hexOf(address)
    return { hex, votingPower, state: stateOf(flags.get(hex)) }
  })
  const signed = rows.filter(({ state }) => state === 'signed')
  const others = rows.filter(({ state }) => state !== 'signed')
  return (
    <>
      <p>
        {numberText(signed.length)} of {numberText(rows.length)} validators signed in round {commit.round}, with{' '}
        {percentText(shareOf(powerOf(signed), powerOf(rows)), 1)} of the power.
        {total > list.length
          ? ` The set has ${numberText(total)} validators; these are the first ${numberText(list.length)}.`
          : ''}
        {isNewest ? ' These are the signatures that this node has now; the next block decides which ones count.' : ''}
      </p>
      <ul class="signers" aria-label="Validators">
        {rows.map(({ hex, state }) => (
          <li key={hex}>
            <a class={state} href={linkTo('validators', hex)} title={`${hex} ${STATES[state]}`}>
              {hex.slice(0, 6)}
              <span class="hidden"> {STATES[state]}</span>
            </a>
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : (
        <p class="dim">
          Without a signature:{' '}
          {others
            .slice(0, MAX_NAMED)
            .map(({ hex, state }) => `${hex.slice(0, 12)} (${STATES[state]})`)
            .join(', ')}
          {others.length > MAX_NAMED ? ` and ${numberText(others.length - MAX_NAMED)} more` : ''}
        </p>
      )}
    </>
  )
}
