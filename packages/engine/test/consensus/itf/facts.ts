import { RoundStep } from '../../../src/consensus/machine/index.ts'
import type { Host } from './host.ts'
import type { ModelNode, ModelProposal, ModelVote, Value } from './trace.ts'

/**
 * The state of a validator, its sent messages and its decisions, in a form that is the same for the Quint model and the
 * machine. Heights begin at 0.
 */
export type Facts = ReadonlyMap<string, string>

/**
 * Returns a sent message as a fact: a key and a text. The key contains the kind, the height and the round of the
 * message, for example `prevote 0/1`. The text of a vote is the name of a block in the Quint model, such as `red`, or
 * `nil`. The text of a proposal contains the name of the proposed block and the valid round, for example `red of 0`.
 */
export function messageFact(sent: ModelVote | ModelProposal): [key: string, value: string] {
  const { height, round } = sent
  if ('proposal' in sent) return [`proposal ${height}/${round}`, `${sent.proposal} of ${sent.validRound}`]
  return [`${sent.voteType.tag.toLowerCase()} ${height}/${round}`, nameOf(sent.valueId)]
}

export function factsOfModel({ es }: ModelNode, sent: Facts): Facts {
  const { step, round, lockedRound, lockedValue, validRound, validValue } = es.cs
  const facts = new Map(sent)
  facts.set('decided', es.chain.map(({ decision }) => `${decision.proposal} in ${decision.round}`).join(', '))
  if (step.tag === 'CommitStep') return facts.set('step', 'decided')
  return facts
    .set('step', step.tag.replace('Step', '').toLowerCase())
    .set('round', `${round}`)
    .set('locked', `${nameOf(lockedValue)} in ${lockedRound}`)
    .set('valid', `${nameOf(validValue)} in ${validRound}`)
}

const STEPS: Readonly<Record<RoundStep, string>> = {
  [RoundStep.newHeight]: 'new height',
  [RoundStep.newRound]: 'new round',
  [RoundStep.propose]: 'propose',
  [RoundStep.prevote]: 'prevote',
  // The Quint model has no steps `prevoteWait` and `precommitWait`, so each of them counts as the step before it.
  [RoundStep.prevoteWait]: 'prevote',
  [RoundStep.precommit]: 'precommit',
  [RoundStep.precommitWait]: 'precommit',
  [RoundStep.commit]: 'commit',
}

/**
 * Returns the facts of a machine at this height of the Quint model. The machine may be at the next height already,
 * because it continues by itself.
 */
export function factsOfMachine(
  { machine, sent, decided, halted }: Host,
  { height, blockName }: { readonly height: number; readonly blockName: (hash: Uint8Array) => string },
): Facts {
  const { locked, valid, ...state } = machine.state
  const facts = new Map(sent).set('decided', decided.join(', '))
  const reason = halted()
  if (reason !== undefined) facts.set('halted', reason)
  if (state.height - 1 > height) return facts.set('step', 'decided')
  return facts
    .set('step', STEPS[state.step])
    .set('round', `${state.round}`)
    .set('locked', locked === undefined ? 'nil in -1' : `${blockName(locked.hash)} in ${locked.round}`)
    .set('valid', valid === undefined ? 'nil in -1' : `${blockName(valid.hash)} in ${valid.round}`)
}

function nameOf({ tag, value }: Value): string {
  return tag === 'Nil' ? 'nil' : String(value)
}
