import { useEffect, useRef } from 'preact/hooks'
import { blocks } from '../live/run.ts'
import { BlockChip } from './block-chip.tsx'

const MAX_SHOWN = 60

/** Shows the blocks that were decided, the newest at the right. */
export function Chain() {
  const strip = useRef<HTMLOListElement>(null)
  const shown = blocks.value.slice(-MAX_SHOWN)
  useEffect(() => {
    if (strip.current !== null) strip.current.scrollLeft = strip.current.scrollWidth
  }, [shown.at(-1)])
  return (
    <section class="panel chain" aria-label="The chain">
      <h2>
        The chain <span class="dim">{blocks.value.length === 1 ? '1 block' : `${blocks.value.length} blocks`}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the keyboard */}
      <ol ref={strip} tabIndex={0}>
        {shown.map(({ height, block, round, proposer, txs, offenders }) => (
          <li key={height} class={offenders.length > 0 ? 'offence' : ''}>
            <strong>{height}</strong>
            <BlockChip block={block} />
            <span class="dim">
              n{proposer}, round {round}
            </span>
            {txs.length > 0 && (
              <span class="dim">{txs.length === 1 ? '1 transaction' : `${txs.length} transactions`}</span>
            )}
            {offenders.map((node) => (
              <span key={node} class="bad">
                evidence: n{node}
              </span>
            ))}
          </li>
        ))}
        {shown.length === 0 && <li class="dim">No block yet</li>}
      </ol>
    </section>
  )
}
