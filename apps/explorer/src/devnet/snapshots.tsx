import { useState } from 'preact/hooks'
import { numberText } from '../format/numbers.ts'
import { headHeight } from '../live/chain.ts'
import { Panel } from '../parts/panel.tsx'
import type { ActProps } from './act.ts'

/** Snapshots that the screen keeps. */
const MOST = 20

interface Snapshot {
  readonly id: string
  readonly height: number
}

/** Saves the chain, and goes back. */
export function Snapshots({ act }: ActProps) {
  const [list, setList] = useState<readonly Snapshot[]>([])
  return (
    <Panel title="Snapshots">
      <div class="choices">
        <button
          type="button"
          onClick={() =>
            act('Snapshot', async (devnet) => {
              const id = await devnet.snapshot()
              const height = headHeight.value
              setList((before) => [{ id, height }, ...before].slice(0, MOST))
              return `${id} at height ${numberText(height)}`
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
      {list.length === 0 ? (
        <p class="dim">A snapshot saves the chain with its application. You can go back to it as often as you want.</p>
      ) : null}
    </Panel>
  )
}
