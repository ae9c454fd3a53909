import { type ByzantineVoteSet, isPartOf } from './byzantine-votes.ts'
import type { LocalState, LocalTable } from './local-table.ts'
import type { Event } from './message.ts'
import { movesOf, type Pool } from './moves.ts'

/** Steps of one validator (a macro step). The last of these steps is the only one that other validators can notice. */
export interface MacroStep {
  readonly events: readonly Event[]
  readonly to: LocalState
  /** The votes of faulty validators that these steps need. */
  readonly neededVotes: ByzantineVoteSet
}

/**
 * Returns the sequences of moves that end with a move that other validators notice. All earlier moves of a sequence
 * are silent: no other validator notices them. A silent move has no effect on the other validators, so it may wait
 * until a noticed move needs it. So a sequence contains only the silent moves that its last move needs.
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
  // Several sequences may lead to the same state. A sequence is left out if another sequence needs fewer votes of
  // faulty validators, and needs no vote that the first sequence does not need.
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
 * Returns true if one of the sequences leads to the state, and needs no vote of a faulty validator that is not in
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
 * Returns true if the sequence has an unneeded move. A move is unneeded in two cases. Without the move, the sequence
 * leads to the same state. Or the move can be made at the end of the sequence instead, where it leads to the same state
 * and no other validator notices it.
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
