import type { LieSet } from './lies.ts'
import type { LocalState, LocalTable } from './local-table.ts'
import { type Event, type ModelProposal, type ModelVote, slotOf, tallyOf, type VoteType } from './message.ts'

/** What the network holds for a validator: everything that was said by anyone, in no order. */
export interface Pool {
  readonly votes: ReadonlyMap<string, readonly ModelVote[]>
  readonly proposals: readonly ModelProposal[]
  readonly blocks: readonly string[]
  /** The vote of a liar that an event is. */
  readonly lieOf: (event: Event) => LieSet
  /** Whether so many may be needed beside those that were needed before. */
  readonly mayNeed: (lies: LieSet) => boolean
}

/** Something that a validator can do now, and where it gets. */
export interface Move {
  readonly events: readonly Event[]
  readonly to: LocalState
  /** Votes of liars among the events. */
  readonly lies: LieSet
}

/**
 * The moves of one validator. Votes that change nothing but a count are delivered only together with the one that makes the
 * difference: to deliver them earlier commutes with everything, so every order of messages is covered all the same.
 */
export function movesOf(table: LocalTable, at: LocalState, { pool, rounds }: { pool: Pool; rounds: number }): Move[] {
  if (at.decided !== undefined) return []
  const moves: Move[] = []
  const add = (event: Event): void => {
    const to = table.next(at, event)
    if (to !== at) moves.push({ events: [event], to, lies: 0 })
  }
  if (at.round < rounds) {
    if (at.timerWaits) add({ kind: 'timeout' })
    for (const proposal of pool.proposals) if (proposal.round === at.round) add(proposal)
  }
  for (const block of pool.blocks) add({ kind: 'parts', block })
  for (let round = 0; round < rounds; round++) {
    for (const type of VOTE_TYPES) {
      if (at.open.has(tallyOf({ type, round })))
        moves.push(...voteMoves(table, at, { lists: candidates(at, pool, { type, round }), pool }))
    }
  }
  return moves
}

/** Everything that can be delivered, one at a time. */
export function singleMovesOf(
  table: LocalTable,
  at: LocalState,
  { pool, rounds }: { pool: Pool; rounds: number },
): Move[] {
  if (at.decided !== undefined) return []
  const events: Event[] = [...pool.proposals, ...pool.blocks.map((block): Event => ({ kind: 'parts', block }))]
  events.push(...[...pool.votes.values()].flat())
  if (at.round < rounds) events.push({ kind: 'timeout' })
  return events
    .map((event): Move => ({ events: [event], to: table.next(at, event), lies: pool.lieOf(event) }))
    .filter(({ to }) => to !== at)
}

const VOTE_TYPES: readonly VoteType[] = ['prevote', 'precommit']

/** By validator, the votes of a round and type that are not here yet: also a liar's second one. */
function candidates(at: LocalState, pool: Pool, { type, round }: { type: VoteType; round: number }) {
  const lists: (readonly ModelVote[])[] = []
  for (let validator = 0; ; validator++) {
    const slot = slotOf({ type, round, validator })
    const list = pool.votes.get(slot)
    if (list === undefined) return lists
    const has = at.has.get(slot)
    lists.push(has === undefined ? list : list.filter(({ value }) => value !== has))
  }
}

/** The smallest sets of votes that make a difference. */
function voteMoves(
  table: LocalTable,
  start: LocalState,
  { lists, pool }: { lists: readonly (readonly ModelVote[])[]; pool: Pool },
): Move[] {
  const found: { readonly events: readonly ModelVote[]; readonly to: LocalState; readonly lies: LieSet }[] = []

  function grow(at: LocalState, from: number, events: readonly ModelVote[], before: LieSet): void {
    for (let validator = from; validator < lists.length; validator++) {
      for (const vote of lists[validator] ?? []) {
        const lies = before | pool.lieOf(vote)
        if (!pool.mayNeed(lies)) continue
        const to = table.next(at, vote)
        if (to === at) continue
        const more = [...events, vote]
        if (to.control !== start.control) found.push({ events: more, to, lies })
        else grow(to, validator + 1, more, lies)
      }
    }
  }

  grow(start, 0, [], 0)
  return found.filter(({ events }) => !found.some((other) => isSmaller(other.events, events)))
}

function isSmaller(small: readonly ModelVote[], large: readonly ModelVote[]): boolean {
  return small.length < large.length && small.every((vote) => large.includes(vote))
}
