import { historyOf, type LocalState, type LocalTable } from './local-table.ts'
import type { Event } from './message.ts'

/** A renaming of validators: the number at index `i` is the new index of the validator `i`. */
type Renaming = readonly number[]

export interface Symmetry {
  /**
   * Returns one representative of all tuples that differ only in the names of equal validators. A tuple has the state
   * of each correct validator; the representative has the ids of these states. Validators are equal if they have the
   * same power and none of them proposes.
   */
  readonly canonical: (at: readonly LocalState[]) => readonly number[]
}

/** `alike`: indices of validators that differ only in their names. */
export function createSymmetry(tables: ReadonlyMap<number, LocalTable>, alike: readonly number[]): Symmetry {
  const correct = [...tables.keys()]
  const renamings = permutations(alike).map((order): Renaming => {
    const size = Math.max(...correct, ...alike) + 1
    return Array.from({ length: size }, (_, i) => (alike.includes(i) ? (order[alike.indexOf(i)] as number) : i))
  })
  const known = new Map<string, number>()

  function rename(state: LocalState, { from, by }: { from: number; by: number }): number {
    const key = `${from} ${by} ${state.id}`
    let id = known.get(key)
    if (id === undefined) {
      const renaming = renamings[by] as Renaming
      const table = tables.get(renaming[from] ?? from) as LocalTable
      const events = historyOf(state).map((event) => renameEvent(event, renaming))
      id = events.reduce((at, event) => table.next(at, event), table.initial).id
      known.set(key, id)
    }
    return id
  }

  return {
    canonical: (at) => {
      let smallest: readonly number[] | undefined
      for (const [by, renaming] of renamings.entries()) {
        const tuple = new Array<number>(at.length)
        for (const [i, state] of at.entries()) {
          const from = correct[i] as number
          tuple[correct.indexOf(renaming[from] ?? from)] = rename(state, { from, by })
        }
        if (smallest === undefined || isLess(tuple, smallest)) smallest = tuple
      }
      return smallest ?? []
    },
  }
}

function renameEvent(event: Event, renaming: Renaming): Event {
  return event.kind === 'vote' ? { ...event, validator: renaming[event.validator] ?? event.validator } : event
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, at) => value !== b[at])
  return i >= 0 && (a[i] as number) < (b[i] as number)
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
}
