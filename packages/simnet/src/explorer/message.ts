/**
 * An input of one validator in the explorer: a timeout, a proposal, the parts of a block, or a vote. A block is given
 * by its name, see `ModelBlock`. In a vote, the name `nil` means no block.
 */
export type Event =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'proposal'; readonly round: number; readonly polRound: number; readonly block: string }
  /**
   * All parts of a block arrive at once. Any validator may receive them, because gossip sends them to each validator
   * that lacks them.
   */
  | { readonly kind: 'parts'; readonly block: string }
  | {
      readonly kind: 'vote'
      readonly type: VoteType
      readonly round: number
      readonly validator: number
      readonly value: string
    }

export type VoteType = 'prevote' | 'precommit'
export type ModelVote = Extract<Event, { kind: 'vote' }>
export type ModelProposal = Extract<Event, { kind: 'proposal' }>

/** Returns one text per event, for tables and traces. */
export function eventKey(event: Event): string {
  switch (event.kind) {
    case 'timeout':
      return 'timeout'
    case 'proposal':
      return `proposal(${event.round},pol=${event.polRound},${event.block})`
    case 'parts':
      return `parts(${event.block})`
    case 'vote':
      return `${event.type}(${event.round},v${event.validator},${event.value})`
  }
}

/**
 * Returns a text with the type, the round and the validator of a vote. No two votes of a correct validator have the
 * same text.
 */
export function slotOf({ type, round, validator }: Omit<ModelVote, 'kind' | 'value'>): string {
  return `${type}/${round}/${validator}`
}

/** Returns the key of the vote set to which a vote belongs. */
export function voteSetOf({ type, round }: Pick<ModelVote, 'type' | 'round'>): string {
  return `${type}/${round}`
}
