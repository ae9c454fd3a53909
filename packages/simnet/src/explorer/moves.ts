import type { ByzantineVoteSet } from './byzantine-votes.ts'
import type { LocalState, LocalTable } from './local-table.ts'
import { type Event, type ModelProposal, type ModelVote, slotOf, type VoteType, voteSetOf } from './message.ts'

/** The messages that a validator may receive: all messages that any validator sent, without an order. */
export interface Pool {
  readonly votes: ReadonlyMap<string, readonly ModelVote[]>
  readonly proposals: readonly ModelProposal[]
  readonly blocks: readonly string[]
  /**
   * Returns the set with only the event's vote if the event is a vote of a faulty validator. Returns the empty set for
   * any other event. The search collects these sets, because it limits the votes of faulty validators.
   */
  readonly byzantineVoteOf: (event: Event) => ByzantineVoteSet
  /**
   * Returns true if a run may deliver these votes of faulty validators to correct validators. The search limits the
   * number of different votes, and the votes that the run has delivered before count too.
   */
  readonly mayNeed: (neededVotes: ByzantineVoteSet) => boolean
}

/** A possible move of a validator, and its result. */
export interface Move {
  readonly events: readonly Event[]
  readonly to: LocalState
  /** The votes that faulty validators must send for the events of this move. */
  readonly neededVotes: ByzantineVoteSet
}

/**
 * Returns the moves of one validator. Some votes change only the count of a vote set, and not the property `control` of
 * the validator's state. Such a vote is not a move of its own. It is delivered together with the vote that then changes
 * `control`. The search still covers every order of messages, because an earlier delivery of the vote without an effect
 * on `control` would lead to the same state.
 */
export function movesOf(table: LocalTable, at: LocalState, { pool, rounds }: { pool: Pool; rounds: number }): Move[] {
  if (at.decided !== undefined) return []
  const moves: Move[] = []
  const add = (event: Event): void => {
    const to = table.next(at, event)
    if (to !== at) moves.push({ events: [event], to, neededVotes: 0 })
  }
  if (at.round < rounds) {
    if (at.timerWaits) add({ kind: 'timeout' })
    for (const proposal of pool.proposals) if (proposal.round === at.round) add(proposal)
  }
  for (const block of pool.blocks) add({ kind: 'parts', block })
  for (let round = 0; round < rounds; round++) {
    for (const type of VOTE_TYPES) {
      if (at.open.has(voteSetOf({ type, round })))
        moves.push(...voteMoves(table, at, { lists: candidates(at, pool, { type, round }), pool }))
    }
  }
  return moves
}

/**
 * Returns every move that is a single event: the delivery of one message, or a timeout. An event that changes nothing
 * is left out.
 */
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
    .map((event): Move => ({ events: [event], to: table.next(at, event), neededVotes: pool.byzantineVoteOf(event) }))
    .filter(({ to }) => to !== at)
}

const VOTE_TYPES: readonly VoteType[] = ['prevote', 'precommit']

/**
 * The votes of a round and type that the validator has not received, by signer. A faulty signer may have several of
 * them.
 */
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

interface Found {
  readonly events: readonly ModelVote[]
  readonly to: LocalState
  readonly neededVotes: ByzantineVoteSet
}

/**
 * Returns one move for each smallest set of received votes that changes the property `control` of the validator's
 * state. This property describes everything that decides the validator's next steps.
 */
function voteMoves(
  table: LocalTable,
  start: LocalState,
  { lists, pool }: { lists: readonly (readonly ModelVote[])[]; pool: Pool },
): Move[] {
  const found: Found[] = []

  function grow(at: LocalState, from: number, before: Omit<Found, 'to'>): void {
    for (let validator = from; validator < lists.length; validator++) {
      for (const vote of lists[validator] ?? []) {
        const neededVotes = before.neededVotes | pool.byzantineVoteOf(vote)
        if (!pool.mayNeed(neededVotes)) continue
        const to = table.next(at, vote)
        if (to === at) continue
        const events = [...before.events, vote]
        if (to.control !== start.control) found.push({ events, to, neededVotes })
        else grow(to, validator + 1, { events, neededVotes })
      }
    }
  }

  grow(start, 0, { events: [], neededVotes: 0 })
  return found.filter(({ events }) => !found.some((other) => isSmaller(other.events, events)))
}

function isSmaller(small: readonly ModelVote[], large: readonly ModelVote[]): boolean {
  return small.length < large.length && small.every((vote) => large.includes(vote))
}
