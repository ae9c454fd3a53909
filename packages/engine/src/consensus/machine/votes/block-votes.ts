import { BitSet, type Vote } from '@org/types'

/** The votes for one block (or nil) in one vote set. */
export interface BlockVotes {
  /** The number of claims of +2/3 for the block. If it is above 0, conflicting votes for the block are kept too. */
  claims: number
  readonly bits: BitSet
  /** The votes by the index of their validator. Memory is allocated only for votes that arrived. */
  readonly votes: (Vote | undefined)[]
  sum: bigint
}

export function createBlockVotes(size: number, claims: number): BlockVotes {
  return { claims, bits: new BitSet(size), votes: [], sum: 0n }
}

export function addToBlockVotes(target: BlockVotes, vote: Vote, power: bigint): void {
  if (target.votes[vote.validatorIndex] !== undefined) return
  target.bits.set(vote.validatorIndex, true)
  target.votes[vote.validatorIndex] = vote
  target.sum += power
}
