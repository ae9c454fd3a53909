import type { RpcMethods } from '@org/rpc/client'
import { hexOf } from '../format/bytes.ts'
import { numberText, percentText, shareOf } from '../format/numbers.ts'
import { linkTo } from '../route.ts'

type Commit = NonNullable<NonNullable<Awaited<ReturnType<RpcMethods['commit']>>>['signedHeader']['commit']>
type Validator = Awaited<ReturnType<RpcMethods['validators']>>['validators'][number]

interface SignersProps {
  readonly commit: Commit | undefined
  /** The validators of the height: the first page of them. */
  readonly validators: readonly Validator[]
  readonly total: number
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

/** The validators that signed a block, and those that did not. */
export function Signers({ commit, validators, total }: SignersProps) {
  if (commit === undefined) return <p class="dim">The node has no commit of this block.</p>
  const flags = new Map(
    commit.signatures.map(({ validatorAddress, blockIdFlag }) => [hexOf(validatorAddress), blockIdFlag]),
  )
  const rows = validators.map(({ address, votingPower }) => {
    const hex = hexOf(address)
    return { hex, power: votingPower, state: stateOf(flags.get(hex)) }
  })
  const whole = rows.reduce((sum, { power }) => sum + power, 0n)
  const signed = rows.filter(({ state }) => state === 'signed')
  const power = signed.reduce((sum, row) => sum + row.power, 0n)
  const others = rows.filter(({ state }) => state !== 'signed')
  return (
    <>
      <p>
        {numberText(signed.length)} of {numberText(rows.length)} validators signed in round {commit.round}, with{' '}
        {percentText(shareOf(power, whole), 1)} of the power.
        {total > validators.length
          ? ` The chain has ${numberText(total)} validators; these are the first of them.`
          : ''}
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
            .slice(0, 20)
            .map(({ hex, state }) => `${hex.slice(0, 12)} (${STATES[state]})`)
            .join(', ')}
          {others.length > 20 ? ' …' : ''}
        </p>
      )}
    </>
  )
}
