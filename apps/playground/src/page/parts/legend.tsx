import { WIRE_KINDS, type WireKind } from '../../session/wire-kind.ts'
import { hidden, toggleKind } from '../live/choice.ts'
import { counts } from '../live/run.ts'

const NAMES: Readonly<Record<WireKind, string>> = {
  proposal: 'Proposal',
  part: 'Block part',
  prevote: 'Prevote',
  precommit: 'Precommit',
  transaction: 'Transaction',
  evidence: 'Evidence',
  block: 'Block of block sync',
  other: 'Other gossip',
}

/**
 * Shows the colour of each kind of message, and the number of these messages. A check box hides all messages of a kind.
 */
export function Legend() {
  return (
    <fieldset class="legend">
      <legend>Messages</legend>
      {WIRE_KINDS.map((kind) => (
        <label key={kind} class={`kind ${kind}`}>
          <input type="checkbox" checked={!hidden.value.has(kind)} onChange={() => toggleKind(kind)} />
          <i aria-hidden="true" />
          {NAMES[kind]} <span class="count">{counts.value[kind]}</span>
        </label>
      ))}
      <p class="dim">
        A ring is a vote for no block. Around each node: the prevotes and precommits that it has; the tick is two thirds
        of the power. Below its step: its own two votes. A padlock is a lock; its colour is that of the block.
      </p>
    </fieldset>
  )
}
