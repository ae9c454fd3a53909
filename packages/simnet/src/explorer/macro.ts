import type { LocalState, LocalTable } from './local-table.ts'
import type { Event } from './message.ts'
import { movesOf, type Pool } from './moves.ts'

/** What one validator does until the others can notice. */
export interface Macro {
  readonly events: readonly Event[]
  readonly to: LocalState
}

/**
 * Moves up to the next one that says something. The silent ones before it commute with all that others do, so they may wait until
 * then; and a silent one that the last does not need may wait longer, so no move carries it.
 */
export function macrosOf(table: LocalTable, start: LocalState, context: { pool: Pool; rounds: number }): Macro[] {
  const silent = new Map<LocalState, readonly Event[][]>([[start, []]])
  const found = new Map<LocalState, Macro>()
  for (const [at, path] of silent) {
    for (const { events, to } of movesOf(table, at, context)) {
      if (!isNoticed(at, to)) {
        if (!silent.has(to)) silent.set(to, [...path, [...events]])
      } else if (!found.has(to) && !isPadded(table, start, { path, events, to })) {
        found.set(to, { events: [...path.flat(), ...events], to })
      }
    }
  }
  return [...found.values()]
}

function isNoticed(from: LocalState, to: LocalState): boolean {
  return (
    from.votes.length !== to.votes.length ||
    from.proposals.length !== to.proposals.length ||
    from.decided !== to.decided ||
    to.faults.length > 0
  )
}

interface Way {
  readonly path: readonly Event[][]
  readonly events: readonly Event[]
  readonly to: LocalState
}

/** Whether a silent move could come after the last one just as well. */
function isPadded(table: LocalTable, start: LocalState, { path, events, to }: Way): boolean {
  return path.some((skipped, i) => {
    const without = walk(table, start, [...path.slice(0, i), ...path.slice(i + 1), events].flat())
    if (without === to) return true
    const after = walk(table, without, skipped)
    return after === to && !isNoticed(without, after)
  })
}

function walk(table: LocalTable, start: LocalState, events: readonly Event[]): LocalState {
  return events.reduce((at, event) => table.next(at, event), start)
}
