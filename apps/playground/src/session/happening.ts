import type { Action } from './action.ts'

/** The first hex digits of a block's hash; empty for a vote for no block. */
export type BlockName = string

/** Something that happened in the network, at a virtual time in milliseconds. */
export type Happening = { readonly at: number } /** The first node enters a round. `proposer` is a node. */ & (
  | { readonly what: 'round'; readonly height: number; readonly round: number; readonly proposer: number }
  | ({ readonly what: 'prevote' } & NodeBlock)
  | ({ readonly what: 'precommit' } & NodeBlock)
  | ({ readonly what: 'lock' } & NodeBlock)
  /** A lock of an earlier round of the height ended. */
  | ({ readonly what: 'unlock' } & NodeBlock)
  /** A node has +2/3 precommits for a block. */
  | ({ readonly what: 'decide' } & NodeBlock)
  /** A block is in the store of the first node. */
  | ({ readonly what: 'block' } & ChainBlock)
  | { readonly what: 'crash'; readonly node: number }
  /** A node runs; `again` if it had run before. */
  | { readonly what: 'start'; readonly node: number; readonly again: boolean }
  | { readonly what: 'halt'; readonly node: number; readonly reason: string }
  /** A node that was behind has the height of the others. */
  | { readonly what: 'caught-up'; readonly node: number; readonly from: number; readonly height: number }
  | { readonly what: 'lie'; readonly node: number; readonly lie: string }
  | { readonly what: 'action'; readonly action: Action }
  | { readonly what: 'violation'; readonly rule: string; readonly detail: string }
)

/** A node and a block, in a round of a height. */
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
  /** The round that decided it. */
  readonly round: number
  readonly proposer: number
  readonly txs: readonly string[]
  /** The validators against which the block has evidence. */
  readonly offenders: readonly number[]
}
