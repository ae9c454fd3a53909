import type { RpcMethods } from '@org/rpc/client'
import { sha256 } from '@org/types/crypto'
import { useState } from 'preact/hooks'
import { brief, hexOf, textOf } from '../format/bytes.ts'
import { numberText, sizeText } from '../format/numbers.ts'
import { timeText } from '../format/times.ts'
import { heightIn, heightOf } from '../format/user-input.ts'
import { headHeight } from '../live/chain.ts'
import { useAnswer } from '../live/use-answer.ts'
import { loadValidators } from '../live/validator-set.ts'
import { Events } from '../parts/events.tsx'
import { EvidenceList } from '../parts/evidence-list.tsx'
import { Hash } from '../parts/hash.tsx'
import { MoreButton } from '../parts/more-button.tsx'
import { Facts, Panel, Scroll } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { Signers } from '../parts/signers.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { blockProves, VerifiedMark } from '../parts/verified-mark.tsx'
import { linkTo, route } from '../route.ts'

/** The number of transactions that are shown at first. */
const FIRST_TXS = 50
/** The number of transactions that each click on the button adds. */
const MORE_TXS = 200
const PREVIEW = 60

type Block = NonNullable<Awaited<ReturnType<RpcMethods['block']>>['block']>
type Results = Awaited<ReturnType<RpcMethods['blockResults']>>

async function loadBlock(client: RpcMethods, id: string) {
  const height = heightOf(id)
  const [{ block, blockId }, { blockMetas }, commit, validators] = await Promise.all([
    client.block({ height }),
    client.blockchain({ minHeight: height, maxHeight: height }),
    client.commit({ height }),
    loadValidators(client, height),
  ])
  // A node may have a block without the results of its transactions. The screen then shows the block without results.
  const results = await client.blockResults({ height }).catch((error: unknown) => error as Error)
  return { height, block, blockId, size: blockMetas[0]?.blockSize ?? 0, commit, validators, results }
}

function HeaderFacts({
  block,
  hash,
  size,
}: {
  readonly block: Block
  readonly hash: Uint8Array
  readonly size: number
}) {
  const { header } = block
  const hashes: readonly (readonly [string, Uint8Array])[] = [
    ['App hash', header.appHash],
    ['Data hash', header.dataHash],
    ['Validators hash', header.validatorsHash],
    ['Next validators hash', header.nextValidatorsHash],
    ['Consensus hash', header.consensusHash],
    ['Last results hash', header.lastResultsHash],
    ['Last commit hash', header.lastCommitHash],
    ['Evidence hash', header.evidenceHash],
  ]
  return (
    <Facts
      rows={[
        ['Hash', <Hash key="hash" bytes={hash} name="the hash of the block" isFull />],
        ['Time', timeText(header.time)],
        ['Proposer', <Hash key="proposer" bytes={header.proposerAddress} name="the address of the proposer" isFull />],
        ['Size', sizeText(size)],
        ['Transactions', numberText(block.data.txs.length)],
        ['Version', `block ${header.version.block}, application ${header.version.app}`],
        [
          'Previous block',
          <Hash
            key="last"
            bytes={header.lastBlockId.hash}
            name="the hash of the previous block"
            link={header.height > 1 ? linkTo('block', header.height - 1) : undefined}
          />,
        ],
        ...hashes.map(([name, bytes]) => [name, <Hash key={name} bytes={bytes} name={name} />] as const),
      ]}
    />
  )
}

/** Returns the first characters of a transaction, as text or as hex. */
function preview(tx: Uint8Array): string {
  const text = textOf(tx.subarray(0, PREVIEW))
  return `${text === undefined ? `0x${hexOf(tx.subarray(0, PREVIEW / 2))}` : brief(text, PREVIEW)}${tx.length > PREVIEW ? '…' : ''}`
}

function Transactions({
  txs,
  results,
}: {
  readonly txs: readonly Uint8Array[]
  readonly results: Results | undefined
}) {
  const [most, setMost] = useState(FIRST_TXS)
  if (txs.length === 0) return <p class="dim">This block has no transactions.</p>
  return (
    <>
      <Scroll label="Transactions">
        <table>
          <TableHead columns={['#', 'Hash', 'Result', 'Size', 'First bytes']} numbers={['#', 'Size']} />
          <tbody>
            {txs.slice(0, most).map((tx, i) => {
              const hash = sha256(tx)
              const code = results?.txsResults[i]?.code
              return (
                <tr key={i}>
                  <td class="num">{i}</td>
                  <td>
                    <Hash bytes={hash} name="the hash of the transaction" link={linkTo('tx', hexOf(hash))} isRow />
                  </td>
                  <td>
                    {code === undefined ? (
                      '–'
                    ) : code === 0 ? (
                      <span class="good">ok</span>
                    ) : (
                      <span class="bad">code {code}</span>
                    )}
                  </td>
                  <td class="num">{sizeText(tx.length)}</td>
                  <td class="preview">
                    <code>{preview(tx)}</code>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroll>
      <MoreButton name="transactions" shown={most} total={txs.length} step={MORE_TXS} onMore={setMost} />
    </>
  )
}

/** Shows one block: header, signatures, transactions, events, evidence. */
export function BlockScreen() {
  const { id } = route.value
  const height = heightIn(id)
  const { value: loaded, error, exchanges, isOther } = useAnswer(`block-${id}`, (client) => loadBlock(client, id))
  // After the address has changed to another block, `loaded` still has the old block until the new block is loaded.
  const value = isOther ? undefined : loaded
  const block = value?.block
  // If the chain has not reached `height` yet, the link to the previous block leads to the newest block.
  const below = (height ?? 1) - 1
  const before = headHeight.value > 0 ? Math.min(below, headHeight.value) : below
  const results = value === undefined || value.results instanceof Error ? undefined : value.results
  return (
    <>
      <div class="title">
        <h1>Block {height === undefined ? brief(id, 40) : numberText(height)}</h1>
        <nav aria-label="Previous and next block">
          {below > 0 ? (
            <a class="button" data-previous href={linkTo('block', before)}>
              ← {numberText(before)}
            </a>
          ) : null}
          {height !== undefined && height < headHeight.value ? (
            <a class="button" data-next href={linkTo('block', height + 1)}>
              {numberText(height + 1)} →
            </a>
          ) : null}
        </nav>
      </div>
      {error === undefined ? null : <Problem error={error} />}
      {value === undefined || block === undefined ? (
        error === undefined && (
          <p class="dim">{value === undefined ? 'Loading …' : 'The node does not have this block.'}</p>
        )
      ) : (
        <>
          <Panel
            title="Header"
            aside={
              <VerifiedMark
                name={`block ${value.height} ${hexOf(value.blockId.hash)}`}
                proves={blockProves(value.height)}
                check={(verifier) => verifier.checkBlock(value.height, { block, blockId: value.blockId })}
              />
            }
          >
            <HeaderFacts block={block} hash={value.blockId.hash} size={value.size} />
          </Panel>
          <Panel title="Signatures">
            <Signers
              commit={value.commit?.signedHeader.commit}
              validators={value.validators}
              isNewest={value.height >= headHeight.value}
            />
          </Panel>
          <Panel title="Transactions">
            <Transactions key={value.height} txs={block.data.txs} results={results} />
          </Panel>
          <Panel title="Events of the block">
            {value.results instanceof Error ? (
              <Problem error={value.results} />
            ) : (
              <Events events={value.results.finalizeBlockEvents} />
            )}
          </Panel>
          <Panel title="Evidence">
            <EvidenceList evidence={block.evidence.evidence} />
          </Panel>
        </>
      )}
      <Raw exchanges={exchanges} />
    </>
  )
}
