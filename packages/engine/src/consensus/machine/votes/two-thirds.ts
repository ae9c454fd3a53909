import type { BlockId } from '@org/types/block'
import type { VoteSet } from './vote-set.ts'

/** A set with votes of +2/3, for any blocks or nil. Once true, this stays true, because votes are never removed. */
export type TwoThirdsVotes = VoteSet & { readonly hasTwoThirdsAny: true }

/** A set with votes of +2/3 for one block, or for nil. */
export type MajorityVotes = TwoThirdsVotes & { readonly majority: BlockId }

export const hasTwoThirds = (votes: VoteSet): votes is TwoThirdsVotes => votes.hasTwoThirdsAny

export const hasMajority = (votes: VoteSet): votes is MajorityVotes => votes.majority !== undefined
