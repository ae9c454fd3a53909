import { type Block, type BlockId, type PartSet, type PartSetHeader, partSetFromHeader } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { Call, Effect, Judgement, ResultOf, RoundEvent } from './effect.ts'
import { MACHINE_ERRORS, MachineError } from './errors.ts'
import type { Result } from './input.ts'
import type { ConsensusMessage } from './message.ts'
import type { MachineOptions } from './options.ts'
import type { Candidate, RoundState, UnreadBlock } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import type { VerifySignature } from './votes/index.ts'

/** The state and the tools that all rules of the machine share. */
export interface Core {
  readonly options: MachineOptions
  readonly verify: VerifySignature
  readonly state: RoundState
  /** The clock reading of the current input. */
  readonly now: () => bigint
  readonly emit: (effect: Effect) => void
  /** The blocks of this height that have passed the validation. They are not validated again. */
  readonly validated: WeakSet<object>
  /**
   * The last block that this node made. Its parts come back to this machine as messages; they are not decoded again.
   */
  ownBlock: { readonly block: Block; readonly parts: PartSet } | undefined
}

/**
 * A rule of consensus as a generator. When the rule needs a result from outside, it yields a `Call` and continues with
 * the result.
 */
export type RuleGenerator<T = void> = Generator<Call, T, Result>

/** Yields a call, such as the request to sign a vote, and returns the result that the driver feeds back. */
export function* callDriver<C extends Call>(call: C): RuleGenerator<ResultOf<C['type']>> {
  const result = yield call
  if (result.type !== call.type) {
    throw new MachineError(MACHINE_ERRORS.unexpectedResult, `expected the result of ${call.type}, got ${result.type}`, {
      data: { expected: call.type, got: result.type },
    })
  }
  return result.value as ResultOf<C['type']>
}

/** Returns true if the block id of a polka or commit names this block and its part set. Always false for nil. */
export function isFor<C extends Candidate>(
  candidate: C | UnreadBlock | undefined,
  { hash, partSetHeader }: BlockId,
): candidate is C {
  if (candidate?.block === undefined || hash.length === 0) return false
  return equalBytes(candidate.hash, hash) && candidate.parts.hasHeader(partSetHeader)
}

/**
 * Begins to receive the block parts that the part set header describes, instead of the parts of another block. Does
 * nothing if the machine expects these parts already.
 */
export function expectParts({ state }: Core, header: PartSetHeader): void {
  if (state.incoming?.parts.hasHeader(header) === true) return
  state.incoming = { parts: partSetFromHeader(header) }
}

export function setStep(core: Core, round: number, step: RoundStep): void {
  core.state.round = round
  core.state.step = step
}

/** Emits the present step, for the WAL, for events and for peers. */
export function newStep({ state, emit }: Core): void {
  const { height, round, step, decision } = state
  emit({ type: 'newStep', height, round, step })
  emit({ type: 'gossip', hint: { type: 'newRoundStep' } })
  // When a peer receives a new round of this node, the peer forgets which parts this node needs. A slow or new peer may
  // receive the round late, so this node reports the needed parts again at each step.
  if (decision !== undefined && step < RoundStep.commit) emit({ type: 'gossip', hint: { type: 'newValidBlock' } })
}

type PlainEvent = Exclude<RoundEvent['type'], 'NewRound' | 'CompleteProposal' | 'Vote'>

export function publish({ state, emit }: Core, type: PlainEvent): void {
  const { height, round, step } = state
  emit({ type: 'publish', event: { type, height, round, step } })
}

export function scheduleTimeout({ state, emit }: Core, duration: bigint, at: { round: number; step: RoundStep }): void {
  emit({ type: 'schedule', timeout: { duration, height: state.height, ...at } })
}

type NoteLevel = Extract<Effect, { type: 'note' }>['level']

const noteAt =
  (level: NoteLevel) =>
  (core: Core, message: string, more: object = {}): void => {
    const { height, round } = core.state
    core.emit({ type: 'note', level, message, fields: { height, round, ...more } })
  }

/** Writes log lines about the current round. */
export const note = { debug: noteAt('debug'), info: noteAt('info'), warn: noteAt('warn'), error: noteAt('error') }

/** A message and its sender; `peerId` is empty for this node itself. */
export interface Received<M extends ConsensusMessage = ConsensusMessage> {
  readonly peerId: string
  readonly message: M
}

export function judge({ emit }: Core, { peerId, message }: Received, judgement: Judgement): void {
  emit({ type: 'judgement', peerId, message, judgement })
}
