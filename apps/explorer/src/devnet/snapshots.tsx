import { numberText } from '../format/numbers.ts'
import { headHeight } from '../live/chain.ts'
import { Panel } from '../parts/panel.tsx'
import { ChainFile } from './chain-file.tsx'
import type { DevnetActionProps } from './devnet-action.ts'
import { info } from './info.ts'

/** The maximum number of snapshots that are shown. */
const MOST = 20

/** Shows the buttons that take a snapshot of the chain, and that go back to a snapshot. */
export function Snapshots({ act }: DevnetActionProps) {
  // The first snapshot is the beginning of the chain. It is not in the list, because another button goes back to the
  // beginning.
  const list = (info.value?.snapshots ?? []).slice(1).toReversed().slice(0, MOST)
  return (
    <Panel title="The chain as a whole">
      <div class="choices">
        <button
          type="button"
          onClick={() =>
            act('Snapshot', async (devnet) => {
              const id = await devnet.snapshot()
              return `${id} at height ${numberText(headHeight.value)}`
            })
          }
        >
          Take a snapshot
        </button>
        {list.map(({ id, height }) => (
          <button
            key={id}
            type="button"
            onClick={() => act('Reverted', async (devnet) => `height ${numberText(await devnet.revert(id))}`)}
          >
            Revert to {id} (height {numberText(height)})
          </button>
        ))}
        <button
          type="button"
          class="danger"
          onClick={() => act('Reset', async (devnet) => `height ${numberText(await devnet.reset())}`)}
        >
          Reset the chain
        </button>
      </div>
      <ChainFile act={act} />
      {list.length === 0 ? (
        <p class="dim">A snapshot saves the chain with its application. You can go back to it as often as you want.</p>
      ) : null}
    </Panel>
  )
}
