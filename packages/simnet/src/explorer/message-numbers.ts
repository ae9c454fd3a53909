import type { LocalState } from './local-table.ts'
import { eventKey, slotOf, voteSetOf } from './message.ts'

/**
 * Returns a function that computes an identifier for the set of messages that the validator `other` has sent. Two sets
 * have the same identifier if they differ only in messages that cannot change the state of the validator `own` any
 * more. The identifier remains right later, because a message without an effect on `own` never gets an effect. For
 * example, a vote set that no vote can change remains unchanged, and a round that is over stays over.
 */
export function createMessageNumbers(): (
  own: { own: LocalState; i: number },
  other: { other: LocalState; j: number },
) => number {
  const numbers = new Map<string, number>()
  const known = new Map<string, number>()
  return ({ own, i }, { other, j }) => {
    const place = `${i} ${own.id} ${j} ${other.sent}`
    let number = known.get(place)
    if (number === undefined) {
      const proposals = other.proposals.map((proposal) =>
        proposal.round < own.round ? proposal.block : eventKey(proposal),
      )
      const votes = other.votes.filter(
        (vote) => own.open.has(voteSetOf(vote)) && own.has.get(slotOf(vote)) !== vote.value,
      )
      const text = [...proposals, ...votes.map(eventKey)].join()
      number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      known.set(place, number)
    }
    return number
  }
}
