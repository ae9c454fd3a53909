import type { ComponentChildren } from 'preact'
import { brief } from '../format/bytes.ts'
import { counted, median, numberText, shortNumber, sizeText } from '../format/numbers.ts'
import { intervalText } from '../format/times.ts'
import { blocks, chainCalls, headHeight, intervals, mempool, peerCount, status, txRate } from '../live/chain.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Age } from '../parts/age.tsx'
import { BlocksTable } from '../parts/blocks-table.tsx'
import { Hash } from '../parts/hash.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { Raw } from '../parts/raw.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { linkTo } from '../route.ts'

const RECENT = 10

interface CardProps {
  readonly name: string
  readonly value: ComponentChildren
  readonly note: ComponentChildren
}

function Card({ name, value, note }: CardProps) {
  return (
    <div class="card">
      <div class="name">{name}</div>
      <div class="value">{value}</div>
      <div class="note">{note}</div>
    </div>
  )
}

function Cards() {
  const last = blocks.value[0]
  const sync = status.value?.syncInfo
  const waiting = mempool.value
  return (
    <div class="cards">
      <Card
        name="Height"
        value={<span data-height>{numberText(headHeight.value)}</span>}
        note={last === undefined ? 'no block yet' : <Age time={last.header.time} />}
      />
      <Card
        name="Block interval"
        value={intervalText(median(intervals.value))}
        note={
          intervals.value.length === 0
            ? 'shown after two blocks'
            : `median of the last ${numberText(intervals.value.length)}`
        }
      />
      <Card
        name="Transactions"
        value={`${shortNumber(txRate.value)}/s`}
        note={`over ${counted(blocks.value.length, 'block')}`}
      />
      <Card
        name="Mempool"
        value={waiting === undefined ? '–' : numberText(waiting.count)}
        note={waiting === undefined ? 'not known' : `${sizeText(waiting.bytes)} waiting`}
      />
      <Card
        name="Peers"
        value={peerCount.value === undefined ? '–' : numberText(peerCount.value)}
        note={<a href={linkTo('peers')}>show peers</a>}
      />
      <Card
        name="Sync"
        value={
          sync === undefined ? (
            '–'
          ) : sync.catchingUp ? (
            <span class="warn">catching up</span>
          ) : (
            <span class="good">in sync</span>
          )
        }
        note={sync === undefined ? 'not known' : `blocks from ${numberText(sync.earliestBlockHeight)}`}
      />
    </div>
  )
}

function NodeFacts() {
  const answer = useAnswer(`overview-${status.value?.nodeInfo.id}`, async (client) => {
    const [{ response }, validators] = await Promise.all([client.abciInfo(), client.validators({ perPage: 1 })])
    return { app: response, validators: validators.total }
  })
  const found = status.value
  if (found === undefined) return <p class="dim">Waiting for the node …</p>
  const { nodeInfo, syncInfo, validatorInfo } = found
  const { value } = answer
  return (
    <>
      <Facts
        rows={[
          ['Chain', brief(nodeInfo.network)],
          ['Node', `${brief(nodeInfo.moniker)}, version ${brief(nodeInfo.version)}`],
          ['Node ID', <code key="id">{brief(nodeInfo.id)}</code>],
          [
            'Application',
            value === undefined
              ? '–'
              : `${brief(value.app.data) || 'no name'} ${brief(value.app.version, 40)} (protocol ${value.app.appVersion})`,
          ],
          ['Validators', value === undefined ? '–' : <a href={linkTo('validators')}>{numberText(value.validators)}</a>],
          ['Power of this node', numberText(validatorInfo.votingPower)],
          ['App hash', <Hash key="app" bytes={syncInfo.latestAppHash} name="the app hash" />],
        ]}
      />
      <Raw exchanges={[...chainCalls.value, ...answer.exchanges]} />
    </>
  )
}

/** Shows the most important facts about the chain. */
export function Overview() {
  return (
    <>
      <h1>Overview</h1>
      <Cards />
      <div class="columns">
        <Panel title="Block interval">
          <Sparkline values={intervals.value} label="Block intervals" format={intervalText} />
        </Panel>
        <Panel title="Transactions per block">
          <Sparkline
            values={blocks.value.map(({ numTxs }) => numTxs).reverse()}
            label="Transactions per block"
            format={numberText}
            isBars
          />
        </Panel>
      </div>
      <div class="columns wide-left">
        <Panel title="Latest blocks" aside={<a href={linkTo('blocks')}>all blocks</a>}>
          <BlocksTable metas={blocks.value.slice(0, RECENT)} />
        </Panel>
        <Panel title="Node">
          <NodeFacts />
        </Panel>
      </div>
    </>
  )
}
