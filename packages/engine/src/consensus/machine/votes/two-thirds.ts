import type { BlockId } from '@org/types'
import type { VoteSet } from './vote-set.ts'

/**
 * A vote set in which +2/3 voted, each for any block or for nil. The power of the votes in a vote set never decreases.
 * So a vote set that has this TypeScript type keeps the type.
 */
export type TwoThirdsVotes = VoteSet & { readonly hasTwoThirdsAny: true }

/** A vote set in which +2/3 voted for the same block, or +2/3 voted for nil. */
export type MajorityVotes = TwoThirdsVotes & { readonly majority: BlockId }

export const hasTwoThirds = (votes: VoteSet): votes is TwoThirdsVotes => votes.hasTwoThirdsAny

export const hasMajority = (votes: VoteSet): votes is MajorityVotes => votes.majority !== undefined
