import type { RpcMethods } from '@org/rpc/client'
import { useEffect } from 'preact/hooks'
import { hexOf } from '../format/bytes.ts'
import { numberText, percentText, shareOf } from '../format/numbers.ts'
import { type BlockMeta, blocks, headHeight } from '../live/chain.ts'
import { loadCommits, markOf } from '../live/signing.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Hash } from '../parts/hash.tsx'
import { Panel, Scroll } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { SigningStrip, StripLegend } from '../parts/signing-strip.tsx'
import { route } from '../route.ts'

const PAGE = 100
/** The most validators that the page shows. */
const MAX_PAGES = 3

async function loadValidators(client: RpcMethods) {
  const first = await client.validators({ page: 1, perPage: PAGE })
  let list = first.validators
  for (let page = 2; page <= MAX_PAGES && list.length < first.total; page++) {
    const next = await client.validators({ height: first.blockHeight, page, perPage: PAGE })
    list = [...list, ...next.validators]
  }
  return { list, total: first.total }
}

type Validator = Awaited<ReturnType<typeof loadValidators>>['list'][number]

interface RowProps {
  readonly validator: Validator
  readonly whole: bigint
  readonly metas: readonly BlockMeta[]
  readonly isChosen: boolean
}

function signedShare(address: string, metas: readonly BlockMeta[], current: Uint8Array | undefined): string {
  const marks = metas
    .map((meta) => markOf(address, meta, current))
    .filter((mark) => mark !== 'loading' && mark !== 'other')
  return percentText(marks.filter((mark) => mark === 'signed').length, marks.length)
}

function Row({ validator, whole, metas, isChosen }: RowProps) {
  const { address, pubKey, votingPower, proposerPriority } = validator
  const hex = hexOf(address)
  const current = metas[0]?.header.validatorsHash
  return (
    <tr class={isChosen ? 'chosen' : undefined}>
      <td>
        <Hash bytes={address} name="the address" />
      </td>
      <td class="num">
        {numberText(votingPower)} <span class="dim">{percentText(shareOf(votingPower, whole), 1)}</span>
      </td>
      <td class="num">{numberText(proposerPriority)}</td>
      <td class="num">{signedShare(hex, metas, current)}</td>
      <td>
        <SigningStrip address={hex} metas={metas} current={current} />
      </td>
      <td>
        <span class="dim">{pubKey.type}</span> <Hash bytes={pubKey.bytes} name="the public key" />
      </td>
    </tr>
  )
}

/** The validators, with the blocks that they signed. */
export function Validators() {
  const metas = blocks.value
  // The set of the next block, and the priorities in it, change with each block.
  const answer = useAnswer(`validators-${headHeight.value}`, loadValidators)
  const top = metas[0]?.header.height ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new block has a new commit
  useEffect(() => void loadCommits(), [top])
  const { value, error, exchanges } = answer
  const whole = value?.list.reduce((sum, { votingPower }) => sum + votingPower, 0n) ?? 0n
  const chosen = route.value.id.toUpperCase()
  return (
    <>
      <h1>Validators</h1>
      {error === undefined ? null : <Problem error={error} />}
      <Panel
        title={value === undefined ? 'Validators' : `${numberText(value.total)} validators, power ${numberText(whole)}`}
        aside={<StripLegend />}
      >
        {value === undefined ? (
          <p class="dim">Loading …</p>
        ) : (
          <Scroll label="Validators">
            <table>
              <thead>
                <tr>
                  <th scope="col">Address</th>
                  <th scope="col" class="num">
                    Power
                  </th>
                  <th scope="col" class="num">
                    Priority
                  </th>
                  <th scope="col" class="num">
                    Signed
                  </th>
                  <th scope="col">The last {metas.length} blocks</th>
                  <th scope="col">Public key</th>
                </tr>
              </thead>
              <tbody>
                {value.list.map((validator) => (
                  <Row
                    key={hexOf(validator.address)}
                    validator={validator}
                    whole={whole}
                    metas={metas}
                    isChosen={hexOf(validator.address) === chosen}
                  />
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Panel>
      <Raw exchanges={exchanges} />
    </>
  )
}
