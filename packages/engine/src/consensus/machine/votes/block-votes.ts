import { BitSet, type Vote } from '@org/types'

/** The votes for one block (or nil) in one vote set. */
export interface BlockVotes {
  /** The number of claims of +2/3 for the block. If it is above 0, conflicting votes for the block are kept too. */
  claims: number
  /** The number of validators. */
  readonly size: number
  /**
   * The validators that voted for the block; `undefined` while no vote has arrived. A claim of +2/3 for a block also
   * creates this object, and any peer can claim any block. So memory for the set is allocated only with the first vote.
   */
  bits: BitSet | undefined
  /** The votes by the index of their validator. Memory is allocated only for votes that arrived. */
  readonly votes: (Vote | undefined)[]
  sum: bigint
}

export function createBlockVotes(size: number, claims: number): BlockVotes {
  return { claims, size, bits: undefined, votes: [], sum: 0n }
}

export function addToBlockVotes(target: BlockVotes, vote: Vote, power: bigint): void {
  if (target.votes[vote.validatorIndex] !== undefined) return
  target.bits ??= new BitSet(target.size)
  target.bits.set(vote.validatorIndex, true)
  target.votes[vote.validatorIndex] = vote
  target.sum += power
}
