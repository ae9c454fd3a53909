import { Mining, Travel } from '../devnet/blocks-and-time.tsx'
import { Delays } from '../devnet/delays.tsx'
import { useDevnetActions } from '../devnet/devnet-action.ts'
import { Faults } from '../devnet/faults.tsx'
import { infoCall, useInfo } from '../devnet/info.ts'
import { isDevnet } from '../devnet/node.ts'
import { Powers } from '../devnet/powers.tsx'
import { LatestResult, Results } from '../devnet/results.tsx'
import { Snapshots } from '../devnet/snapshots.tsx'
import { WaitingTxs } from '../devnet/waiting-txs.tsx'
import { blocks } from '../live/chain.ts'
import { BlocksTable } from '../parts/blocks-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { Raw } from '../parts/raw.tsx'

/** The number of newest blocks that the screen shows beside the results of the actions. */
const RECENT = 8

function WithoutControl() {
  return (
    <p>
      {isDevnet.value === undefined ? (
        'Waiting for the node …'
      ) : (
        <>
          This node does not let the page control its chain. Start one with{' '}
          <code>halley devnet --control --validators 4</code>.
        </>
      )}
    </p>
  )
}

function Controls() {
  const { act, results, running } = useDevnetActions()
  useInfo()
  return (
    <>
      <div class="columns">
        <Mining act={act} />
        <Travel act={act} />
      </div>
      <Snapshots act={act} />
      <WaitingTxs act={act} />
      <Faults act={act} />
      <div class="columns">
        <Powers act={act} />
        <Delays act={act} />
      </div>
      <div class="columns">
        <Results results={results} running={running} />
        <Panel title="Latest blocks">
          <BlocksTable metas={blocks.value.slice(0, RECENT)} />
        </Panel>
      </div>
      <Raw exchanges={infoCall.value === undefined ? [] : [infoCall.value]} />
      <LatestResult results={results} running={running} />
    </>
  )
}

/** Shows buttons that control the chain of `halley devnet --control`. */
export function Devnet() {
  return (
    <>
      <h1>Devnet</h1>
      {isDevnet.value === true ? <Controls /> : <WithoutControl />}
    </>
  )
}
