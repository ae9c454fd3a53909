import type { RpcMethods } from '@org/rpc/client'
import { useEffect, useState } from 'preact/hooks'
import { hexOf } from '../format/bytes.ts'
import { numberText, sizeText } from '../format/numbers.ts'
import { blocks } from '../live/chain.ts'
import { learnKeys } from '../live/learned-keys.ts'
import { COMMON_KEYS, queryAdvice } from '../live/query-help.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Hash } from '../parts/hash.tsx'
import { Panel, Scroll } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { QueryField } from '../parts/query-field.tsx'
import { Raw } from '../parts/raw.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { goTo, linkTo, route } from '../route.ts'

const PAGE = 20

type Kind = 'transactions' | 'blocks'

interface Found {
  readonly total: number
  readonly txs: Awaited<ReturnType<RpcMethods['txSearch']>>['txs']
  readonly blocks: Awaited<ReturnType<RpcMethods['blockSearch']>>['blocks']
}

interface Asked {
  readonly query: string
  readonly kind: Kind
  readonly page: number
}

async function search(client: RpcMethods, { query, kind, page }: Asked): Promise<Found> {
  const args = { query, page, perPage: PAGE, orderBy: 'desc' }
  if (query === '') return { total: 0, txs: [], blocks: [] }
  if (kind === 'blocks') {
    const found = await client.blockSearch(args)
    return { total: found.totalCount, txs: [], blocks: found.blocks }
  }
  const found = await client.txSearch(args)
  return { total: found.totalCount, txs: found.txs, blocks: [] }
}

function Txs({ txs }: { readonly txs: Found['txs'] }) {
  return (
    <Scroll label="Transactions">
      <table>
        <TableHead columns={['Hash', 'Block', 'Result', 'Size']} numbers={['Block', 'Size']} />
        <tbody>
          {txs.map(({ hash, height, txResult, tx }) => (
            <tr key={hexOf(hash)}>
              <td>
                <Hash bytes={hash} name="the hash of the transaction" link={linkTo('tx', hexOf(hash))} isRow />
              </td>
              <td class="num">
                <a href={linkTo('block', height)}>{numberText(height)}</a>
              </td>
              <td>
                {txResult.code === 0 ? <span class="good">ok</span> : <span class="bad">code {txResult.code}</span>}
              </td>
              <td class="num">{sizeText(tx.length)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function FoundBlocks({ list }: { readonly list: Found['blocks'] }) {
  return (
    <Scroll label="Blocks">
      <table>
        <TableHead columns={['Height', 'Hash', 'Txs']} numbers={['Height', 'Txs']} />
        <tbody>
          {list.map(({ block, blockId }) => (
            <tr key={hexOf(blockId.hash)}>
              <td class="num">
                <a data-row href={linkTo('block', block?.header.height ?? 0)}>
                  {numberText(block?.header.height ?? 0)}
                </a>
              </td>
              <td>
                <Hash bytes={blockId.hash} name="the hash of the block" />
              </td>
              <td class="num">{numberText(block?.data.txs.length ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Results({ asked }: { readonly asked: Asked }) {
  const { query, kind, page } = asked
  const { value, error, exchanges, isLoading } = useAnswer(JSON.stringify(asked), (client) => search(client, asked))
  const link = (to: number): string => linkTo('search', '', { q: query, in: kind, page: String(to) })
  return (
    <Panel title={value === undefined || isLoading ? 'Results' : `${numberText(value.total)} found`}>
      {error === undefined ? null : <Problem error={error} advice={queryAdvice(query)} />}
      {isLoading ? <p class="dim">Searching …</p> : null}
      {value === undefined || value.total > 0 || isLoading ? null : (
        <p class="dim">Nothing matches. Only attributes that the application marked as indexed can be found.</p>
      )}
      {value === undefined || value.txs.length === 0 ? null : <Txs txs={value.txs} />}
      {value === undefined || value.blocks.length === 0 ? null : <FoundBlocks list={value.blocks} />}
      <nav class="pages" aria-label="Pages of results">
        {page > 1 ? <a href={link(page - 1)}>Newer</a> : null}
        {value !== undefined && page * PAGE < value.total ? <a href={link(page + 1)}>Older</a> : null}
      </nav>
      <Raw exchanges={exchanges} />
    </Panel>
  )
}

/** Shows a field for a query in the query language of the node, and the results of the query. */
export function Search() {
  const { query: params } = route.value
  const query = params.get('q') ?? ''
  const kind: Kind = params.get('in') === 'blocks' ? 'blocks' : 'transactions'
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1)
  const [text, setText] = useState(query)
  useEffect(() => setText(query), [query])
  const keys = useAnswer(`keys-${blocks.value.length > 0}`, learnKeys)
  const go = (wanted: Kind): void => goTo(linkTo('search', '', { q: text.trim(), in: wanted }))
  return (
    <>
      <h1>Search</h1>
      <Panel title="Query">
        <form
          class="form query-form"
          onSubmit={(event) => {
            event.preventDefault()
            go(kind)
          }}
        >
          <QueryField text={text} keys={keys.value ?? COMMON_KEYS} onText={setText} />
          <div class="choices">
            {(['transactions', 'blocks'] as const).map((each) => (
              <button type="button" key={each} aria-pressed={each === kind} onClick={() => go(each)}>
                {each === 'blocks' ? 'Blocks' : 'Transactions'}
              </button>
            ))}
            <button type="submit" class="main">
              Search
            </button>
          </div>
        </form>
        <p class="dim">
          Conditions are joined by AND: <code>tx.height &gt; 5</code>, <code>app.key='name'</code>,{' '}
          <code>app.creator CONTAINS 'Cosmo'</code>, <code>app.key EXISTS</code>.
        </p>
      </Panel>
      {query === '' ? null : <Results asked={{ query, kind, page }} />}
    </>
  )
}
