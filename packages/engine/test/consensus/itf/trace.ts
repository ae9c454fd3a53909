import { type ItfValue, parseItf } from './itf.ts'

export interface Variant<T = unknown> {
  readonly tag: string
  readonly value: T
}

/** The value that a vote names: `Nil`, or `Val` with the name of a block. */
export type Value = Variant

export interface ModelVote {
  readonly voteType: Variant
  readonly srcAddress: string
  readonly height: number
  readonly round: number
  readonly valueId: Value
}

export interface ModelProposal {
  readonly srcAddress: string
  readonly height: number
  readonly round: number
  readonly proposal: string
  readonly validRound: number
}

export type ModelTimeout = readonly [kind: Variant, height: number, round: number]

export interface ModelNode {
  readonly es: {
    readonly started: boolean
    readonly pendingStepChange: Variant
    readonly pendingInputs: readonly ItfValue[]
    readonly chain: readonly { readonly decision: ModelProposal }[]
    readonly cs: {
      readonly height: number
      readonly round: number
      readonly step: Variant
      readonly lockedRound: number
      readonly lockedValue: Value
      readonly validRound: number
      readonly validValue: Value
    }
  }
  readonly incomingVotes: readonly ModelVote[]
  readonly incomingProposals: readonly ModelProposal[]
  readonly incomingCertificates: readonly (readonly ModelVote[])[]
  readonly timeouts: readonly ModelTimeout[]
  readonly getValueRequests: readonly (readonly [height: number, round: number])[]
}

/** One step of a validator of the Quint model: its inputs, its messages, and its state after the step. */
export interface Move {
  /** The index of the state after the step, in the list of states of the trace. */
  readonly at: number
  readonly validator: string
  readonly starts: boolean
  readonly votes: readonly ModelVote[]
  readonly certificates: readonly (readonly ModelVote[])[]
  readonly proposals: readonly ModelProposal[]
  readonly timeouts: readonly ModelTimeout[]
  readonly sent: ModelVote | ModelProposal | undefined
  readonly node: ModelNode
}

export interface Trace {
  /** All validators, including the faulty ones. */
  readonly validators: readonly string[]
  readonly correct: readonly string[]
  readonly states: number
  readonly moves: readonly Move[]
}

interface ModelState {
  readonly system: ReadonlyMap<string, ModelNode>
  readonly who: string
  readonly output: Variant
}

export function readTrace(text: string): Trace {
  const states = parseItf(text).states.map(readState)
  const correct = [...(states[0]?.system.keys() ?? [])]
  const moves = states.flatMap((state, at) => {
    const before = states[at - 1]
    return before === undefined ? [] : moveOf(before, state, at)
  })
  const all = moves.flatMap(({ votes, proposals }) => [...votes, ...proposals].map(({ srcAddress }) => srcAddress))
  // The validators are named v1 to vN. N is the largest number in the trace, but at least 4, because no message names
  // the last validators if they are faulty and silent.
  const count = Math.max(4, ...[...correct, ...all].map((name) => Number(name.slice(1))))
  return { validators: Array.from({ length: count }, (_, i) => `v${i + 1}`), correct, states: states.length, moves }
}

function readState({ _hist, system }: { readonly [name: string]: ItfValue }): ModelState {
  if (!(system instanceof Map) || _hist === undefined) throw new TypeError('a trace of another model')
  // Each state of a trace names the validator that made the last step. Some test files of the Quint model store this
  // name in a tuple, and others in a record.
  const last = Array.isArray(_hist)
    ? { validator: _hist[0], output: _hist[2] }
    : (_hist as { readonly [name: string]: ItfValue })
  return {
    system: system as unknown as ReadonlyMap<string, ModelNode>,
    who: last.validator as string,
    output: last.output as unknown as Variant,
  }
}

/**
 * Compares a state of the trace with the next state. The next state names one validator. Only this validator can have
 * made a step between the two states. If it did, returns a list with this step. Returns an empty list if the states
 * differ for another reason: inputs were delivered to a validator, or a height began.
 */
function moveOf(before: ModelState, after: ModelState, at: number): Move[] {
  const [from, node] = [before.system.get(after.who), after.system.get(after.who)]
  if (from === undefined || node === undefined) return []
  const isNewHeight = node.es.cs.height !== from.es.cs.height
  const move = {
    at,
    validator: after.who,
    starts: !from.es.started && node.es.started,
    votes: without(from.incomingVotes, node.incomingVotes),
    certificates: without(from.incomingCertificates, node.incomingCertificates),
    proposals: without(from.incomingProposals, node.incomingProposals),
    timeouts: without(from.timeouts, node.timeouts),
    node,
  }
  const taken = [move.votes, move.certificates, move.proposals, move.timeouts].some(({ length }) => length > 0)
  if (
    isNewHeight ||
    !(taken || move.starts || differ(from.es, node.es) || differ(from.getValueRequests, node.getValueRequests))
  )
    return []
  const { tag, value } = after.output
  const speaks = tag === 'VoteOutput' || tag === 'ProposalOutput'
  return [{ ...move, sent: speaks ? (value as ModelVote | ModelProposal) : undefined }]
}

function without<T>(before: readonly T[], after: readonly T[]): T[] {
  const left = new Set(after.map((item) => JSON.stringify(item)))
  return before.filter((item) => !left.has(JSON.stringify(item)))
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b)
}
