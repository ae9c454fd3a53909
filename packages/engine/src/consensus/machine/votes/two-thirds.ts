import type { BlockId } from '@org/types/block'
import type { VoteSet } from './vote-set.ts'

/**
 * A vote set in which +2/3 voted, each for any block or for nil. A vote set that once has this type keeps it, because
 * votes are never removed.
 */
export type TwoThirdsVotes = VoteSet & { readonly hasTwoThirdsAny: true }

/** A vote set in which +2/3 voted for the same block, or all for nil. */
export type MajorityVotes = TwoThirdsVotes & { readonly majority: BlockId }

export const hasTwoThirds = (votes: VoteSet): votes is TwoThirdsVotes => votes.hasTwoThirdsAny

export const hasMajority = (votes: VoteSet): votes is MajorityVotes => votes.majority !== undefined
