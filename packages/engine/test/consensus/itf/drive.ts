import type { Machine } from '../../../src/consensus/machine/index.ts'
import { createChain } from './chain.ts'
import { factsOfMachine, factsOfModel, sayingOf } from './facts.ts'
import type { ModelNode, Move, Trace } from './trace.ts'
import { type LiveValidator, startValidator } from './validator.ts'

/** What is not the same: `round`, `step`, `locked`, `valid`, `decided`, `halted`, or what was said, as `prevote 0/1`. */
export interface Difference {
  readonly field: string
  readonly model: string
  readonly machine: string
}

/** A validator of the model at rest, and its machine. */
export interface Point {
  readonly at: number
  readonly validator: string
  readonly node: ModelNode
  readonly live: LiveValidator
  readonly blockName: (hash: Uint8Array) => string
  readonly facts: number
  readonly differences: readonly Difference[]
}

/**
 * Gives each correct validator's machine what the trace gives to it, and compares the two wherever the model is at rest. A point
 * is to be looked at before the next one: the machine goes on. `wrap` is for machines with planted bugs.
 */
export function* drive(trace: Trace, wrap: (machine: Machine) => Machine = (machine) => machine): Generator<Point> {
  const chain = createChain(trace.validators)
  const validators = new Map(
    trace.correct.map((name) => {
      const live = startValidator(chain, { name, plan: planOf(trace, name), wrap })
      return [name, { live, said: new Map<string, string>() }]
    }),
  )
  const last = new Map(trace.moves.map((move) => [move.validator, move]))
  for (const move of trace.moves) {
    const { at, validator, node } = move
    const { live, said } = validators.get(validator) ?? {}
    if (live === undefined || said === undefined) throw new Error(`${validator} is not in the trace`)
    feed(live, move)
    if (move.said !== undefined) said.set(...sayingOf(move.said))
    // The last one shows what the trace was made for.
    if (owesProposal(node) || !(isAtRest(node) || last.get(validator) === move)) continue
    const model = factsOfModel(node, said)
    const machine = factsOfMachine(live.host, { height: node.es.cs.height, blockName: chain.blockName })
    const isOver = [model, machine].some((facts) => facts.get('step') === 'decided')
    const fields = [...new Set([...model.keys(), ...machine.keys()])].filter((field) => !(isOver && PLACE.has(field)))
    const differences = fields
      .map((field) => ({ field, model: model.get(field) ?? 'none', machine: machine.get(field) ?? 'none' }))
      .filter((pair) => pair.model !== pair.machine)
    yield { at, validator, node, live, blockName: chain.blockName, facts: fields.length, differences }
    // The machine waits where the model does not: let the time pass.
    if (differences.some(({ field }) => field === 'step' || field === 'round')) live.passTo(node.es.cs)
  }
}

/** Facts of a height that goes on. */
const PLACE: ReadonlySet<string> = new Set(['round', 'locked', 'valid'])

/** What the validator will propose by itself: the model asks for it late, the machine at once. */
function planOf({ moves }: Trace, name: string): ReadonlyMap<string, string> {
  const plan = new Map<string, string>()
  for (const { validator, said } of moves) {
    if (validator !== name || said === undefined || !('proposal' in said)) continue
    plan.set(`${said.height}/${said.round}`, said.proposal)
  }
  return plan
}

function feed(live: LiveValidator, move: Move): void {
  if (move.starts) live.start(move.node.es.cs.height)
  for (const certificate of move.certificates) live.hearCertificate(certificate)
  for (const vote of move.votes) live.hearVote(vote)
  for (const proposal of move.proposals) live.hearProposal(proposal)
  for (const [kind, height, round] of move.timeouts) live.fire(kind.tag, { height, round })
}

/** The model looks at what it has in several steps, the machine in one. */
function isAtRest({ es }: ModelNode): boolean {
  if (es.cs.step.tag === 'CommitStep') return true
  return es.started && es.pendingStepChange.tag === 'NoStep' && es.pendingInputs.length === 0
}

function owesProposal({ es: { cs }, getValueRequests }: ModelNode): boolean {
  if (cs.step.tag === 'CommitStep') return false
  return getValueRequests.some(([height, round]) => height === cs.height && round === cs.round)
}
