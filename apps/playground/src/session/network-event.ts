import type { Action } from './action.ts'

/** The first hex digits of a block's hash; empty for a vote for no block. */
export type BlockName = string

/**
 * Something that happened in the network. `at` is the virtual time in milliseconds. An event of the kind `round` is
 * reported when one node enters a round before all other nodes.
 */
export type NetworkEvent = { readonly at: number } & (
  | { readonly what: 'round'; readonly height: number; readonly round: number; readonly proposer: number }
  | ({ readonly what: 'prevote' } & NodeBlock)
  | ({ readonly what: 'precommit' } & NodeBlock)
  | ({ readonly what: 'lock' } & NodeBlock)
  /** A node gave up the lock that it had from an earlier round of the height. */
  | ({ readonly what: 'unlock' } & NodeBlock)
  /** A node has +2/3 precommits for a block. */
  | ({ readonly what: 'decide' } & NodeBlock)
  /** A node is the first one that has stored a block of a new height. */
  | ({ readonly what: 'block' } & ChainBlock)
  | { readonly what: 'crash'; readonly node: number }
  /** A node has started. `again` is true if it had run before. */
  | { readonly what: 'start'; readonly node: number; readonly again: boolean }
  | { readonly what: 'halt'; readonly node: number; readonly reason: string }
  /** A node that was behind has reached the height of the other nodes. */
  | { readonly what: 'caught-up'; readonly node: number; readonly from: number; readonly height: number }
  | { readonly what: 'lie'; readonly node: number; readonly lie: string }
  | { readonly what: 'action'; readonly action: Action }
  | { readonly what: 'violation'; readonly rule: string; readonly detail: string }
)

/** The node, the height, the round and the block of an event, such as a prevote. */
export interface NodeBlock {
  readonly node: number
  readonly height: number
  readonly round: number
  readonly block: BlockName
}

/** A block of the chain, as the page shows it. */
export interface ChainBlock {
  readonly height: number
  readonly block: BlockName
  /** The round in which the block was decided. */
  readonly round: number
  readonly proposer: number
  readonly txs: readonly string[]
  /** The validators against which the block has evidence. */
  readonly offenders: readonly number[]
}
