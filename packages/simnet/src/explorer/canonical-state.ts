import { type RoundState, RoundStep, type VoteSet } from '@org/engine/consensus'
import { eventKey, slotOf, type VoteType, voteSetOf } from './message.ts'
import type { Model } from './model.ts'
import type { LiveValidator } from './validator.ts'

export interface CanonicalState {
  /**
   * A text with everything that decides the validator's next steps, except the single votes, which the map `has`
   * contains. For each vote set, this text contains only two facts: whether +2/3 have voted, and the block (or nil)
   * with +2/3. So a vote that only adds to a count does not change this text.
   */
  readonly control: string
  /** The received votes that may still matter, as `type/round/validator` → block. */
  readonly has: ReadonlyMap<string, string>
  /** The vote sets that a further vote may still change, each as `type/round`. */
  readonly open: ReadonlySet<string>
}

/**
 * Returns the part of a validator's state that can still affect the validator's next steps. The rest is left out, so
 * that more orders of events lead to one state. Left out are the votes of a decided vote set, the vote sets that are
 * never read again, and the timers without an effect.
 */
export function canonicalState(live: LiveValidator, model: Model, rounds: number): CanonicalState {
  const sent = [...live.proposals, ...live.votes].map(eventKey).join('+')
  const faults = live.faults.join('; ')
  const decided = live.decided()
  if (decided !== undefined) return { control: `decided ${decided} ${sent} ${faults}`, has: new Map(), open: new Set() }
  const { state } = live.machine
  const has = new Map<string, string>()
  const open = new Set<string>()
  const voteSets: string[] = []
  const isBeyond = state.round >= rounds
  for (let round = 0; round < rounds; round++) {
    if (!isBeyond)
      voteSets.push(
        voteSetText(state.votes.prevotes(round), {
          round,
          has,
          open,
          model,
          type: 'prevote',
          past: round < state.round,
        }),
      )
    voteSets.push(
      voteSetText(state.votes.precommits(round), {
        round,
        has,
        open,
        model,
        type: 'precommit',
        past: round < state.round,
      }),
    )
  }
  return { control: `${position(live, model, isBeyond)} ${voteSets.join(',')} ${sent} ${faults}`, has, open }
}

function position(live: LiveValidator, model: Model, isBeyond: boolean): string {
  const { state } = live.machine
  const { proposal, incoming, locked, valid } = state
  const block = incoming?.block === undefined ? '-' : model.nameOf(incoming.hash)
  const parts =
    incoming === undefined
      ? '-'
      : `${model.nameOfParts(incoming.parts.header.hash)}${incoming.parts.isComplete ? '!' : ''}`
  const polka = (at: RoundState['locked']): string => (at === undefined ? '-' : `${model.nameOf(at.hash)}@${at.round}`)
  if (isBeyond) return `beyond ${state.step === RoundStep.commit ? 'commit' : ''} ${block} ${parts} ${polka(locked)}`
  return [
    `${state.round}/${state.step}`,
    proposal === undefined ? '-' : `${model.nameOf(proposal.blockId.hash)}@${proposal.polRound}`,
    block,
    parts,
    polka(locked),
    polka(valid),
    state.triggeredTimeoutPrecommit ? 'w' : '-',
    timerText(live),
  ].join(' ')
}

/**
 * Describes the last timer of a validator; `-` if the timer cannot affect the next steps. A timer can have two effects:
 * - The timer fires, and this may change the state of the validator.
 * - The ticker refuses a new timer, because its round and step are not later than those of the last timer. A validator
 *   never sets a second timer for its present step, or a timer for an earlier step. So the ticker can refuse a new
 *   timer only if the last timer is for a later step than the present step.
 */
function timerText(live: LiveValidator): string {
  const { round, step } = live.machine.state
  const { waits, at } = live.timer()
  if (at === undefined || at.round < round) return '-'
  const works = waits && (at.round > round || at.step >= step)
  if (!works && at.round === round && at.step <= step) return '-'
  return `${works ? 'on' : 'off'}${at.round}/${at.step}`
}

interface VoteSetContext {
  readonly round: number
  readonly has: Map<string, string>
  readonly open: Set<string>
  readonly model: Model
  readonly type: VoteType
  /** True if the round is over. Then votes have an effect only when they reach a majority. */
  readonly past: boolean
}

function voteSetText(set: VoteSet | undefined, { round, has, open, model, type, past }: VoteSetContext): string {
  if (set === undefined) {
    open.add(voteSetOf({ type, round }))
    return '.'
  }
  const any = !past && set.hasTwoThirdsAny ? '!' : ''
  const majority = set.majority === undefined ? '-' : model.nameOf(set.majority.hash)
  // The only effect of a majority of precommits for nil is that the round ends. When the round is over, this majority
  // has no further effect, because a later proposal can refer only to the prevotes of the round. So the text does not
  // contain this majority.
  const text = past && type === 'precommit' && majority === 'nil' ? '-' : `${majority}${any}`
  if (set.majority !== undefined || (!canStillDecide(set, model) && (past || any !== ''))) return text
  open.add(voteSetOf({ type, round }))
  for (const [validator, vote] of set.votes.entries()) {
    if (vote !== undefined) has.set(slotOf({ type, round, validator }), model.nameOf(vote.blockId.hash))
  }
  return text
}

function canStillDecide(set: VoteSet, model: Model): boolean {
  const counts = new Map<string, number>()
  let absent = 0
  let total = 0
  for (const [validator, vote] of set.votes.entries()) {
    const power = model.powers[validator] as number
    const name = vote === undefined ? undefined : model.nameOf(vote.blockId.hash)
    total += power
    if (name === undefined) absent += power
    else counts.set(name, (counts.get(name) ?? 0) + power)
  }
  const greatest = Math.max(0, ...counts.values())
  return 3 * (greatest + absent) > 2 * total
}
