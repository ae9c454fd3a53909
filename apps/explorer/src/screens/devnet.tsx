import { useActs } from '../devnet/act.ts'
import { Mining, Travel } from '../devnet/blocks-and-time.tsx'
import { Faults } from '../devnet/faults.tsx'
import { isDevnet } from '../devnet/node.ts'
import { LatestResult, Results } from '../devnet/results.tsx'
import { Snapshots } from '../devnet/snapshots.tsx'
import { blocks } from '../live/chain.ts'
import { BlocksTable } from '../parts/blocks-table.tsx'
import { Panel } from '../parts/panel.tsx'

/** Blocks that are shown beside the results. */
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

/** Buttons that control the chain of `halley devnet --control`. */
export function Devnet() {
  const { act, results, running } = useActs()
  return (
    <>
      <h1>Devnet</h1>
      {isDevnet.value === true ? (
        <>
          <div class="columns">
            <Mining act={act} />
            <Travel act={act} />
          </div>
          <Snapshots act={act} />
          <Faults act={act} />
          <div class="columns">
            <Results results={results} running={running} />
            <Panel title="Latest blocks">
              <BlocksTable metas={blocks.value.slice(0, RECENT)} />
            </Panel>
          </div>
          <LatestResult results={results} running={running} />
        </>
      ) : (
        <WithoutControl />
      )}
    </>
  )
}
