import {
  type Block,
  type BlockId,
  hasAddress,
  type PartSet,
  type Proposal,
  proposerOf,
  type State,
  type ValidatorSet,
} from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { Time } from '@org/types/time'
import type { RoundStep } from './round-step.ts'
import type { HeightVoteSet, MajorityVotes } from './votes/index.ts'

/**
 * A block with the parts from which it was read. `hash` is the hash of the block's header. A proposer can encode one
 * block in several ways, so the hash alone does not identify the parts.
 */
export interface Candidate {
  readonly block: Block
  readonly hash: Uint8Array
  readonly parts: PartSet
}

/** The parts of a block that this node has not decoded: parts are missing, or this node refused the whole block. */
export interface UnreadBlock {
  readonly parts: PartSet
  readonly block?: undefined
  readonly hash?: undefined
}

/** A block that had a polka in `round`. */
export interface PolkaBlock extends Candidate {
  readonly round: number
}

/** The decision of a height. */
export interface Decision {
  /**
   * The round in which the block was decided. The machine may be in a later round, because the last precommits of a
   * round can arrive after the end of this round.
   */
  readonly round: number
  readonly blockId: BlockId
  /**
   * The precommits of the round in which the block was decided. More than two thirds of the power precommitted the
   * block.
   */
  readonly precommits: MajorityVotes
  /** The time when this node first had precommits of +2/3 for the block. */
  readonly time: Time
}

/**
 * The state of the machine. Other code may read this object between two steps, and only the machine changes it. The
 * type is not a union with one type for each step, because only `decision` would differ. Members that change
 * together are one object: `incoming`, `locked`, `valid`, `decision`.
 */
export interface RoundState {
  height: number
  round: number
  step: RoundStep
  /** The time at which round 0 begins. */
  startTime: Time
  /**
   * The time when this node had +2/3 precommits for the last decided block; `undefined` before the first decision since
   * the start.
   */
  commitTime: Time | undefined
  /** The validators of the height. The proposer of this set is the proposer of the round. */
  validators: ValidatorSet
  proposal: Proposal | undefined
  /**
   * The block that this node receives in parts: the proposed block, a block with a polka, or the decided block. This is
   * a `Candidate` when all parts are present and this node accepts the block in them.
   */
  incoming: Candidate | UnreadBlock | undefined
  /** The block that this node precommitted last. This node prevotes this block until a later polka removes the lock. */
  locked: PolkaBlock | undefined
  /**
   * The block of the newest polka that this node has seen. If this node is the proposer, it proposes this block again.
   */
  valid: PolkaBlock | undefined
  votes: HeightVoteSet
  /**
   * The decision of this height. It is present from the step `commit` to the end of the height. If the decided block is
   * not complete yet, +2/3 votes of a later round can move the machine from the step `commit` to that round.
   */
  decision: Decision | undefined
  /** The precommits of the previous height; `undefined` at the initial height. */
  lastCommit: MajorityVotes | undefined
  lastValidators: ValidatorSet
  triggeredTimeoutPrecommit: boolean
  /** The chain's state after the previous height. */
  chain: State
  /** The app hash in the header of the previous block; `undefined` if it is not known. */
  lastHeaderAppHash: Uint8Array | undefined
  /** The address of the node's own key; `undefined` for a node without a key. */
  signerAddress: Uint8Array | undefined
}

/** Returns true if this node proposes in this round. */
export function isProposer({ signerAddress, validators }: Pick<RoundState, 'signerAddress' | 'validators'>): boolean {
  if (signerAddress === undefined || !hasAddress(validators, signerAddress)) return false
  return equalBytes(proposerOf(validators)?.address ?? new Uint8Array(0), signerAddress)
}

export function extensionsEnabled(chain: State, height: number): boolean {
  const { voteExtensionsEnableHeight } = chain.consensusParams.abci
  return voteExtensionsEnableHeight !== 0 && height >= voteExtensionsEnableHeight
}

/** Returns the height of the next block. If the chain has no block yet, returns the initial height. */
export function nextHeight(chain: State): number {
  return chain.lastBlockHeight === 0 ? chain.initialHeight : chain.lastBlockHeight + 1
}
