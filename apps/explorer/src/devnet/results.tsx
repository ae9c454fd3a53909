import { Panel } from '../parts/panel.tsx'
import { Raw } from '../parts/raw.tsx'
import type { Result } from './devnet-action.ts'

interface ResultsProps {
  readonly results: readonly Result[]
  readonly running: string | undefined
}

/** Shows the results of the actions, the newest first, each with its calls. */
export function Results({ results, running }: ResultsProps) {
  return (
    <Panel title="Results">
      <div role="log" aria-label="Results">
        {running === undefined ? null : <p class="dim">{running} …</p>}
        {results.length === 0 && running === undefined ? <p class="dim">No action yet.</p> : null}
        <ol class="messages">
          {results.map(({ id, text, isGood, exchanges }) => (
            <li key={id}>
              <span class={isGood ? undefined : 'bad'}>{text}</span>
              <Raw exchanges={exchanges} />
            </li>
          ))}
        </ol>
      </div>
    </Panel>
  )
}

/** Shows the newest result, which stays in view on a small screen. */
export function LatestResult({ results, running }: ResultsProps) {
  const newest = results[0]
  if (newest === undefined && running === undefined) return null
  return (
    <p class="latest-result" aria-hidden="true">
      {running === undefined ? (
        <span class={newest?.isGood === false ? 'bad' : undefined}>{newest?.text}</span>
      ) : (
        `${running} …`
      )}
    </p>
  )
}
