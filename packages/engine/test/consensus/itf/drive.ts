import type { Machine } from '../../../src/consensus/machine/index.ts'
import { createChain } from './chain.ts'
import { factsOfMachine, factsOfModel, messageFact } from './facts.ts'
import type { ModelNode, Move, Trace } from './trace.ts'
import { type LiveValidator, startValidator } from './validator.ts'

/**
 * A difference between a validator of the Quint model and its machine. `field` names the fact that differs: `round`,
 * `step`, `locked`, `valid`, `decided`, `halted`, or a sent message, such as `prevote 0/1`.
 */
export interface Difference {
  readonly field: string
  readonly model: string
  readonly machine: string
}

/** A state in the trace at which a validator of the Quint model is compared with its machine. */
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
 * Passes the inputs of the trace to the machine of each correct validator. When a validator of the Quint model has
 * processed all its inputs, yields a {@link Point}: a comparison of this validator with its machine. A point is valid
 * only until the next point is requested, because the machine continues. `wrap` changes the machine, for example to
 * plant a bug.
 */
export function* drive(trace: Trace, wrap: (machine: Machine) => Machine = (machine) => machine): Generator<Point> {
  const chain = createChain(trace.validators)
  const validators = new Map(
    trace.correct.map((name) => {
      const live = startValidator(chain, { name, plan: planOf(trace, name), wrap })
      return [name, { live, sent: new Map<string, string>() }]
    }),
  )
  const last = new Map(trace.moves.map((move) => [move.validator, move]))
  for (const move of trace.moves) {
    const { at, validator, node } = move
    const { live, sent } = validators.get(validator) ?? {}
    if (live === undefined || sent === undefined) throw new Error(`${validator} is not in the trace`)
    feed(live, move)
    if (move.sent !== undefined) sent.set(...messageFact(move.sent))
    // A validator's last state is compared even if inputs are left, because the trace was made to reach this state.
    if (waitsForOwnValue(node) || !(hasProcessedInputs(node) || last.get(validator) === move)) continue
    const model = factsOfModel(node, sent)
    const machine = factsOfMachine(live.host, { height: node.es.cs.height, blockName: chain.blockName })
    const isOver = [model, machine].some((facts) => facts.get('step') === 'decided')
    const fields = [...new Set([...model.keys(), ...machine.keys()])].filter((field) => !(isOver && PLACE.has(field)))
    const differences = fields
      .map((field) => ({ field, model: model.get(field) ?? 'none', machine: machine.get(field) ?? 'none' }))
      .filter((pair) => pair.model !== pair.machine)
    yield { at, validator, node, live, blockName: chain.blockName, facts: fields.length, differences }
    // If the machine is in an earlier step or round, it waits for a timeout that the model did not need. This timeout
    // fires now.
    if (differences.some(({ field }) => field === 'step' || field === 'round')) live.passTo(node.es.cs)
  }
}

/**
 * The facts that are not compared after the height is decided, because the machine has begun the next height already.
 */
const PLACE: ReadonlySet<string> = new Set(['round', 'locked', 'valid'])

/**
 * Returns the values that the validator proposes in the trace, by height and round. The test needs these values before
 * it runs the trace, because the machine requests a value as soon as it may propose.
 */
function planOf({ moves }: Trace, name: string): ReadonlyMap<string, string> {
  const plan = new Map<string, string>()
  for (const { validator, sent } of moves) {
    if (validator !== name || sent === undefined || !('proposal' in sent)) continue
    plan.set(`${sent.height}/${sent.round}`, sent.proposal)
  }
  return plan
}

function feed(live: LiveValidator, move: Move): void {
  if (move.starts) live.start(move.node.es.cs.height)
  for (const certificate of move.certificates) live.receiveCertificate(certificate)
  for (const vote of move.votes) live.receiveVote(vote)
  for (const proposal of move.proposals) live.receiveProposal(proposal)
  for (const [kind, height, round] of move.timeouts) live.fire(kind.tag, { height, round })
}

/**
 * Returns true if the validator of the Quint model has processed all its inputs. Only then can it be compared with its
 * machine, because the model needs several steps for inputs that the machine processes in one step.
 */
function hasProcessedInputs({ es }: ModelNode): boolean {
  if (es.cs.step.tag === 'CommitStep') return true
  return es.started && es.pendingStepChange.tag === 'NoStep' && es.pendingInputs.length === 0
}

function waitsForOwnValue({ es: { cs }, getValueRequests }: ModelNode): boolean {
  if (cs.step.tag === 'CommitStep') return false
  return getValueRequests.some(([height, round]) => height === cs.height && round === cs.round)
}
