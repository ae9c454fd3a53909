import { WORLD_ERRORS, WorldError } from '../world/errors.ts'
import { type Event, eventKey } from './message.ts'

/**
 * A set of votes of faulty validators. The search numbers these votes: equal votes have one number. Bit `i`
 * represents the vote with the number `i`.
 */
export type LieSet = number

/** Counts the different votes of faulty validators that at least one correct validator needed. */
export interface Lies {
  /**
   * Returns a set with the vote of the event if a faulty validator sent it. Returns an empty set for any other event,
   * or if the search does not limit these votes.
   */
  readonly of: (event: Event) => LieSet
  readonly isAllowed: (lies: LieSet) => boolean
}

const MOST = 31

/**
 * Creates the counter. `most` is the maximum number of different votes of faulty validators that correct validators
 * may have needed in one run.
 */
export function createLies(liars: readonly number[], most: number): Lies {
  const bits = new Map<string, number>()
  return {
    of: (event) => {
      if (most === Number.POSITIVE_INFINITY || event.kind !== 'vote' || !liars.includes(event.validator)) return 0
      const key = eventKey(event)
      const bit = bits.get(key) ?? bits.size
      if (bit >= MOST) {
        const message = `at most ${MOST} different votes of faulty validators can be counted`
        throw new WorldError(WORLD_ERRORS.badOption, message)
      }
      bits.set(key, bit)
      return 1 << bit
    },
    isAllowed: (lies) => countOf(lies) <= most,
  }
}

export const isPartOf = (some: LieSet, all: LieSet): boolean => (some & ~all) === 0

function countOf(lies: LieSet): number {
  let count = 0
  for (let rest = lies; rest !== 0; rest &= rest - 1) count++
  return count
}
