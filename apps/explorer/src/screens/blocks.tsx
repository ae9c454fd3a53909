import { numberText } from '../format/numbers.ts'
import { type BlockMeta, blocks, chainCalls, headHeight, status } from '../live/chain.ts'
import { useAnswer } from '../live/use-answer.ts'
import { BlocksTable } from '../parts/blocks-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { linkTo, route } from '../route.ts'

/** The maximum number of blocks in one answer of `blockchain`. */
const PAGE = 20

/** Shows the newest blocks, and each new block as it is made. */
function Newest() {
  return (
    <>
      <BlocksTable metas={blocks.value} />
      <Raw exchanges={chainCalls.value.filter(({ call }) => call.method === 'blockchain')} />
    </>
  )
}

/** Shows older blocks, from a height downwards. */
function Older({ top }: { readonly top: number }) {
  const answer = useAnswer(`blocks-${top}`, (client) =>
    client.blockchain({ minHeight: Math.max(1, top - PAGE + 1), maxHeight: top }),
  )
  if (answer.error !== undefined) return <Problem error={answer.error} />
  const metas = (answer.value?.blockMetas ?? []).filter((meta): meta is BlockMeta => meta !== undefined)
  return (
    <>
      {answer.value === undefined ? <p class="dim">Loading …</p> : <BlocksTable metas={metas} />}
      <Raw exchanges={answer.exchanges} />
    </>
  )
}

/** Shows the newest blocks of the chain, or a page of older blocks. */
export function Blocks() {
  const asked = Number(route.value.query.get('from') ?? '')
  const isLive = !Number.isSafeInteger(asked) || asked < 1
  const top = isLive ? (blocks.value[0]?.header.height ?? 0) : asked
  const shown = isLive ? blocks.value.length : PAGE
  const earliest = status.value?.syncInfo.earliestBlockHeight ?? 1
  // If the address names a height far above the newest block, the link `Older` leads to the newest blocks.
  const below = Math.min(top - shown, headHeight.value)
  return (
    <>
      <h1>Blocks</h1>
      <Panel title={isLive ? 'The newest blocks, updated live' : `Blocks up to ${numberText(top)}`}>
        {isLive ? <Newest /> : <Older top={top} />}
        <nav class="pages" aria-label="Pages of blocks">
          {isLive ? null : <a href={linkTo('blocks')}>Newest</a>}
          {isLive || top >= headHeight.value ? null : (
            <a href={linkTo('blocks', '', { from: String(Math.min(headHeight.value, top + PAGE)) })}>Newer</a>
          )}
          {below >= Math.max(1, earliest) ? <a href={linkTo('blocks', '', { from: String(below) })}>Older</a> : null}
        </nav>
      </Panel>
    </>
  )
}
