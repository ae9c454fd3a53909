import { useEffect, useMemo, useRef } from 'preact/hooks'
import { brief, hexOf } from '../format/bytes.ts'
import { counted, numberText, percentText, shareOf } from '../format/numbers.ts'
import { blocks, secondHeight } from '../live/chain.ts'
import { nowMs } from '../live/clock.ts'
import { type Column, columnsOf, loadCommits, markOf } from '../live/signing.ts'
import { useAnswer } from '../live/use-answer.ts'
import { loadValidators, powerOf, type Validator } from '../live/validator-set.ts'
import { Hash } from '../parts/hash.tsx'
import { Panel, Scroll } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { SigningStrip, StripLegend } from '../parts/signing-strip.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { VerifiedMark } from '../parts/verified-mark.tsx'
import { route } from '../route.ts'

/**
 * The milliseconds between two checks of the validators by the light client. The proposer priorities change with each
 * block, but the page does not check at each block, because each check needs a newly verified header.
 */
const CHECK_EVERY_MS = 10_000

interface RowProps {
  readonly validator: Validator
  readonly whole: bigint
  readonly columns: readonly Column[]
  readonly isChosen: boolean
}

function Row({ validator, whole, columns, isChosen }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'center' })
  }, [isChosen])
  const { address, pubKey, votingPower, proposerPriority } = validator
  const hex = hexOf(address)
  const marks = columns.map((column) => markOf(hex, column))
  const judged = marks.filter((mark) => mark !== 'loading' && mark !== 'other')
  const signed = judged.filter((mark) => mark === 'signed')
  return (
    <tr ref={row} class={isChosen ? 'chosen' : undefined}>
      <td>
        <Hash bytes={address} name="the address" />
      </td>
      <td>
        <SigningStrip marks={marks} />
      </td>
      <td class="num">{percentText(signed.length, judged.length)}</td>
      <td class="num">
        {numberText(votingPower)} <span class="dim">{percentText(shareOf(votingPower, whole), 1)}</span>
      </td>
      <td class="num">{numberText(proposerPriority)}</td>
      <td>
        <span class="dim">{brief(pubKey.type, 20)}</span> <Hash bytes={pubKey.bytes} name="the public key" />
      </td>
    </tr>
  )
}

function Head({ count }: { readonly count: number }) {
  const strip = count === 1 ? 'The last block' : `The last ${count} blocks`
  const numbers = ['Signed', 'Power', 'Proposer priority']
  return <TableHead columns={['Address', strip, ...numbers, 'Public key']} numbers={numbers} />
}

function titleOf(list: readonly Validator[], total: number): string {
  const count = counted(total, 'validator')
  return list.length < total
    ? `The first ${numberText(list.length)} of ${count}`
    : `${count}, power ${numberText(powerOf(list))}`
}

/** Shows the validators, with the blocks that they signed. */
export function Validators() {
  const metas = blocks.value
  // The powers and the proposer priorities may change with each block. The page loads the validators once per second.
  const { value, error, exchanges } = useAnswer('validators', (client) => loadValidators(client), secondHeight.value)
  const top = metas[0]?.header.height ?? 0
  useEffect(() => void loadCommits(), [top])
  const columns = columnsOf(metas)
  const whole = useMemo(() => powerOf(value?.list ?? []), [value])
  const chosen = route.value.id.toUpperCase()
  return (
    <>
      <h1>Validators</h1>
      {error === undefined ? null : <Problem error={error} />}
      <Panel title={value === undefined ? 'Validators' : titleOf(value.list, value.total)} aside={<StripLegend />}>
        {value === undefined ? (
          error === undefined && <p class="dim">Loading …</p>
        ) : (
          <>
            <p>
              <VerifiedMark
                name="validators"
                proves={`keys and powers of the validators of height ${numberText(value.height)}`}
                check={(verifier) => verifier.checkValidators(value.height, value.list)}
                refresh={Math.floor(nowMs.value / CHECK_EVERY_MS)}
              />
            </p>
            <Scroll label="Validators">
              <table>
                <Head count={metas.length} />
                <tbody>
                  {value.list.map((validator) => (
                    <Row
                      key={hexOf(validator.address)}
                      validator={validator}
                      whole={whole}
                      columns={columns}
                      isChosen={hexOf(validator.address) === chosen}
                    />
                  ))}
                </tbody>
              </table>
            </Scroll>
          </>
        )}
      </Panel>
      <Raw exchanges={exchanges} />
    </>
  )
}
