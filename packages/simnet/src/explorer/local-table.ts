import { canonicalState } from './canonical-state.ts'
import { type Event, eventKey, type ModelProposal, type ModelVote } from './message.ts'
import type { Model } from './model.ts'
import { type LiveValidator, startValidator } from './validator.ts'

/**
 * A possible state of one validator. Two sequences of events lead to the same state if they give the same values of the
 * properties `control`, `has` and `open`.
 */
export interface LocalState {
  readonly id: number
  /** The last step on the way to this state: the state before it, and the event. */
  readonly parent: LocalState | undefined
  readonly event: Event | undefined
  /**
   * A text with everything that decides the validator's next steps, except the received votes, which the property `has`
   * contains. For each vote set, the text contains only two facts: whether +2/3 have voted, and the block (or nil) with
   * +2/3.
   */
  readonly control: string
  /** The received votes by key `type/round/validator`. */
  readonly has: ReadonlyMap<string, string>
  /** The vote sets that a further vote may still change, each as `type/round`. */
  readonly open: ReadonlySet<string>
  readonly votes: readonly ModelVote[]
  readonly proposals: readonly ModelProposal[]
  /**
   * An identifier of the set of messages that the validator has sent. States with the same sent messages have the same
   * identifier.
   */
  readonly sent: number
  readonly round: number
  readonly decided: string | undefined
  readonly timerWaits: boolean
  readonly faults: readonly string[]
}

export interface LocalOptions {
  readonly index: number
  readonly rounds: number
}

/**
 * One validator as an automaton. The real consensus machine computes the next state for each event. Each step is
 * computed only once.
 */
export class LocalTable {
  readonly #model: Model
  readonly #options: LocalOptions
  readonly #byKey = new Map<string, LocalState>()
  readonly #steps = new Map<string, LocalState>()
  readonly #sent = new Map<string, number>()
  readonly states: LocalState[] = []
  /**
   * The running validator that the method `next` used last (`live`), and the state of this validator (`at`). The
   * parameter `from` of this method is the state before an event. If `from` is the state `at`, the method feeds the
   * event to the validator `live`. If `from` is a different state, the method starts a new validator. It first feeds
   * this validator all events that lead to the state `from`.
   */
  #spare: { readonly at: LocalState; readonly live: LiveValidator } | undefined

  constructor(model: Model, options: LocalOptions) {
    this.#model = model
    this.#options = options
    this.#intern(startValidator(model, options), undefined, undefined)
  }

  get initial(): LocalState {
    return this.states[0] as LocalState
  }

  /** Returns the state after the event. Returns `from` if the event changes nothing. */
  next(from: LocalState, event: Event): LocalState {
    const key = `${from.id}|${eventKey(event)}`
    const known = this.#steps.get(key)
    if (known !== undefined) return known
    const live = this.#liveAt(from)
    live.feed(event)
    const to = this.#intern(live, from, event)
    this.#steps.set(key, to)
    this.#spare = { at: to, live }
    return to
  }

  #liveAt(state: LocalState): LiveValidator {
    if (this.#spare?.at === state) return this.#spare.live
    const live = startValidator(this.#model, this.#options)
    for (const past of historyOf(state)) live.feed(past)
    return live
  }

  #intern(live: LiveValidator, parent: LocalState | undefined, event: Event | undefined): LocalState {
    const { has, control, open } = canonicalState(live, this.#model, this.#options.rounds)
    const key = `${control}#${[...has].map((entry) => entry.join('=')).join(' ')}#${[...open].join(' ')}`
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const sent = [...live.proposals, ...live.votes].map(eventKey).join()
    if (!this.#sent.has(sent)) this.#sent.set(sent, this.#sent.size)
    const state: LocalState = {
      id: this.states.length,
      parent,
      event,
      control,
      has,
      open,
      votes: [...live.votes],
      proposals: [...live.proposals],
      sent: this.#sent.get(sent) as number,
      round: live.machine.state.round,
      decided: live.decided(),
      timerWaits: live.timer().waits,
      faults: [...live.faults],
    }
    this.#byKey.set(key, state)
    this.states.push(state)
    return state
  }
}

export function historyOf(state: LocalState): Event[] {
  const events: Event[] = []
  for (let at: LocalState | undefined = state; at?.event !== undefined; at = at.parent) events.push(at.event)
  return events.reverse()
}
