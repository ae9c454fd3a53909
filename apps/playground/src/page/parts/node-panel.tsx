import { createSystemRandom } from '@org/runtime'
import { LIES, type Lie } from '../../session/action.ts'
import { linkName } from '../../session/conditions.ts'
import type { NodeView, Tally } from '../../session/view.ts'
import { choose, chosenNode } from '../live/choice.ts'
import { act, conditions, views } from '../live/run.ts'
import { toggleLink } from '../stage/stage.tsx'
import { stateOf } from '../words.ts'
import { BlockChip } from './block-chip.tsx'

const LIE_NAMES: Readonly<Record<Lie, string>> = {
  equivocate: 'Signs two votes',
  withhold: 'Keeps votes back',
  doublePropose: 'Proposes two blocks',
  invalidBlock: 'Proposes an invalid block',
  amnesia: 'Ignores its lock',
  wrongPol: 'Claims a false proof of lock',
}
const SLOW_MS = 400
const MAX_NAMES = 1_000_000

/** Sends a new transaction to a node. */
export function sendTransaction(node: number): void {
  act({ kind: 'send', node, name: `yours-${createSystemRandom().below(MAX_NAMES)}` })
}

function Votes({ name, tally }: { readonly name: string; readonly tally: Tally }) {
  const percent = (share: number): string => `${Math.round(share * 100)} %`
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {percent(tally.voted)} of the power
        {tally.voted > 0 && (
          <>
            , {percent(tally.largest)} for {tally.block === '' ? 'no block' : <BlockChip block={tally.block} />}
          </>
        )}
      </dd>
    </>
  )
}

function Lies({ node }: { readonly node: number }) {
  const chosen = conditions.value.lies.get(node) ?? []
  const toggle = (lie: Lie): void => {
    const lies = chosen.includes(lie) ? chosen.filter((each) => each !== lie) : [...chosen, lie]
    act(lies.length === 0 ? { kind: 'obey', node } : { kind: 'lie', node, lies })
  }
  return (
    <fieldset>
      <legend>Byzantine</legend>
      {LIES.map((lie) => (
        <label key={lie}>
          <input type="checkbox" checked={chosen.includes(lie)} onChange={() => toggle(lie)} /> {LIE_NAMES[lie]}
        </label>
      ))}
    </fieldset>
  )
}

function Links({ node }: { readonly node: number }) {
  const { cut } = conditions.value
  return (
    <fieldset class="links">
      <legend>Links: press one to cut it or mend it</legend>
      {views.value.map((_, other) => {
        if (other === node) return null
        const isCut = cut.includes(linkName([node, other]))
        return (
          <button
            key={other}
            type="button"
            class={isCut ? 'cut' : ''}
            aria-pressed={isCut}
            onClick={() => toggleLink([node, other])}
          >
            n{other}
          </button>
        )
      })}
    </fieldset>
  )
}

function Facts({ view }: { readonly view: NodeView }) {
  return (
    <dl>
      <Votes name="Prevotes" tally={view.prevotes} />
      <Votes name="Precommits" tally={view.precommits} />
      <dt>Lock</dt>
      <dd>
        {view.locked === undefined ? (
          'none'
        ) : (
          <>
            <BlockChip block={view.locked.block} /> of round {view.locked.round}
          </>
        )}
      </dd>
      <dt>Stored blocks</dt>
      <dd>{view.stored}</dd>
    </dl>
  )
}

/** Shows the state of the chosen node, and buttons for the actions on this node. */
export function NodePanel() {
  const node = chosenNode.value
  const view = node === undefined ? undefined : views.value[node]
  if (node === undefined || view === undefined) return null
  const isUp = view.status === 'running' || view.status === 'starting'
  const isSlow = conditions.value.slow.has(node)
  return (
    <section class="panel node-panel" aria-label={`Validator n${node}`}>
      <h2>
        n{node} <span class="dim">{stateOf(view, conditions.value.lies.has(node))}</span>
        <button type="button" class="close" aria-label="Close" onClick={() => choose(undefined)}>
          ×
        </button>
      </h2>
      <div class="buttons">
        {isUp ? (
          <button type="button" onClick={() => act({ kind: 'crash', node })}>
            Crash
          </button>
        ) : (
          <button type="button" onClick={() => act({ kind: 'start', node })}>
            Start
          </button>
        )}
        <button
          type="button"
          disabled={!isUp}
          aria-pressed={view.isFrozen}
          onClick={() => act({ kind: view.isFrozen ? 'thaw' : 'freeze', node })}
        >
          {view.isFrozen ? 'Let it continue' : 'Freeze'}
        </button>
        <button
          type="button"
          aria-pressed={isSlow}
          onClick={() => act({ kind: 'slow', node, ms: isSlow ? 0 : SLOW_MS })}
        >
          {isSlow ? 'Fast links' : 'Slow links'}
        </button>
        <button type="button" disabled={!isUp} onClick={() => sendTransaction(node)}>
          Send a transaction
        </button>
        <button type="button" onClick={() => act({ kind: 'split', group: [node] })}>
          Cut all its links
        </button>
        <button type="button" disabled={conditions.value.cut.length === 0} onClick={() => act({ kind: 'join' })}>
          Mend all links
        </button>
      </div>
      <Facts view={view} />
      <Lies node={node} />
      <Links node={node} />
    </section>
  )
}
