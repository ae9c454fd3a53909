import { type ByzantineVoteSet, isPartOf } from './byzantine-votes.ts'
import type { LocalState, LocalTable } from './local-table.ts'
import type { Event } from './message.ts'
import { movesOf, type Pool } from './moves.ts'

/** Steps of one validator (a macro step). The last of these steps is the only one that other validators can notice. */
export interface MacroStep {
  readonly events: readonly Event[]
  readonly to: LocalState
  /** The votes of faulty validators that are among the events. */
  readonly neededVotes: ByzantineVoteSet
}

/**
 * Returns sequences of moves of one validator. The last move of each sequence is noticed by other validators. The
 * earlier moves are silent: no other validator notices them. A sequence with an unneeded silent move is not returned:
 * without this move, the other validators notice the same. {@link hasUnneededMove} finds unneeded moves.
 */
export function macroStepsOf(
  table: LocalTable,
  start: LocalState,
  context: { pool: Pool; rounds: number },
): MacroStep[] {
  const silent: Silent[] = [{ at: start, path: [], neededVotes: 0 }]
  const found: MacroStep[] = []
  for (const { at, path, neededVotes } of silent) {
    for (const move of movesOf(table, at, context)) {
      const { events, to } = move
      const reached = { to, neededVotes: neededVotes | move.neededVotes }
      if (!context.pool.mayNeed(reached.neededVotes)) continue
      if (!isNoticed(at, to)) {
        if (!silent.some((other) => other.at === to && isPartOf(other.neededVotes, reached.neededVotes)))
          silent.push({ at: to, path: [...path, events], neededVotes: reached.neededVotes })
      } else if (!isReached(found, reached) && !hasUnneededMove(table, start, { path, events, to })) {
        found.push({ events: [...path.flat(), ...events], ...reached })
      }
    }
  }
  // Sequences to the same state may need different votes of faulty validators. A sequence is left out if its votes
  // include all votes of another sequence to this state.
  return found.filter(
    (macro) => !found.some((other) => other.neededVotes !== macro.neededVotes && isReached([other], macro)),
  )
}

interface Silent {
  readonly at: LocalState
  readonly path: readonly (readonly Event[])[]
  readonly neededVotes: ByzantineVoteSet
}

/**
 * Returns true if one of the macro steps leads to the state `to`, and needs only votes of faulty validators that are in
 * `neededVotes`.
 */
function isReached(macros: readonly MacroStep[], { to, neededVotes }: Pick<MacroStep, 'to' | 'neededVotes'>): boolean {
  return macros.some((other) => other.to === to && isPartOf(other.neededVotes, neededVotes))
}

function isNoticed(from: LocalState, to: LocalState): boolean {
  return (
    from.votes.length !== to.votes.length ||
    from.proposals.length !== to.proposals.length ||
    from.decided !== to.decided ||
    to.faults.length > 0
  )
}

interface MoveSequence {
  readonly path: readonly (readonly Event[])[]
  readonly events: readonly Event[]
  readonly to: LocalState
}

/**
 * Returns true if the sequence has an unneeded move. A move is unneeded if the sequence leads to the same state without
 * the move. A move is also unneeded if two conditions hold: the sequence leads to the same state with this move as its
 * last one, and no other validator notices a move that is made so late.
 */
function hasUnneededMove(table: LocalTable, start: LocalState, { path, events, to }: MoveSequence): boolean {
  return path.some((skipped, i) => {
    const without = applyEvents(table, start, [...path.slice(0, i), ...path.slice(i + 1), events].flat())
    if (without === to) return true
    const after = applyEvents(table, without, skipped)
    return after === to && !isNoticed(without, after)
  })
}

function applyEvents(table: LocalTable, start: LocalState, events: readonly Event[]): LocalState {
  return events.reduce((at, event) => table.next(at, event), start)
}
