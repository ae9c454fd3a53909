/** What can happen to a validator. Blocks go by their name in the model; `nil` is a vote for none. */
export type Event =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'proposal'; readonly round: number; readonly polRound: number; readonly block: string }
  /** All parts of a block: gossip sends them as long as somebody lacks them. */
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

/** One text for each event, for tables and traces. */
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

/** Where a vote counts: a validator has one for each. */
export function slotOf({ type, round, validator }: Omit<ModelVote, 'kind' | 'value'>): string {
  return `${type}/${round}/${validator}`
}

/** The tally that a vote counts in. */
export function tallyOf({ type, round }: Pick<ModelVote, 'type' | 'round'>): string {
  return `${type}/${round}`
}
