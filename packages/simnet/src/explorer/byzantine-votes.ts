import { WORLD_ERRORS, WorldError } from '../world/errors.ts'
import { type Event, eventKey } from './message.ts'

/**
 * A set of votes of faulty validators. The search numbers these votes: equal votes have one number. Bit `i`
 * represents the vote with the number `i`.
 */
export type ByzantineVoteSet = number

/**
 * Counts the different votes of faulty validators that a run of the search needs. A run needs a vote if it delivers the
 * vote to at least one correct validator.
 */
export interface ByzantineVotes {
  /**
   * Returns the set of the votes of faulty validators in an event. If the event is a vote of a faulty validator, the
   * set has this one vote. For all other events, the set is empty. If the search has no maximum number of votes of
   * faulty validators, these votes need not be counted, so the set is always empty.
   */
  readonly of: (event: Event) => ByzantineVoteSet
  readonly isAllowed: (votes: ByzantineVoteSet) => boolean
}

const MAX_VOTES = 31

/** Creates the counter. `most` is the maximum number of different votes of faulty validators that one run may need. */
export function createByzantineVotes(byzantine: readonly number[], most: number): ByzantineVotes {
  const bits = new Map<string, number>()
  return {
    of: (event) => {
      if (most === Number.POSITIVE_INFINITY || event.kind !== 'vote' || !byzantine.includes(event.validator)) return 0
      const key = eventKey(event)
      const bit = bits.get(key) ?? bits.size
      if (bit >= MAX_VOTES) {
        const message = `at most ${MAX_VOTES} different votes of faulty validators can be counted`
        throw new WorldError(WORLD_ERRORS.badOption, message)
      }
      bits.set(key, bit)
      return 1 << bit
    },
    isAllowed: (votes) => countOf(votes) <= most,
  }
}

export const isPartOf = (some: ByzantineVoteSet, all: ByzantineVoteSet): boolean => (some & ~all) === 0

function countOf(votes: ByzantineVoteSet): number {
  let count = 0
  for (let rest = votes; rest !== 0; rest &= rest - 1) count++
  return count
}
