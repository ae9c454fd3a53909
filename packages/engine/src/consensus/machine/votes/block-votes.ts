import { BitSet, type Vote } from '@org/types'

/** The votes for one block (or nil) in one vote set. */
export interface BlockVotes {
  /** True if a peer claims +2/3 for the block, so conflicting votes for it are kept too. */
  peerMaj23: boolean
  readonly bits: BitSet
  readonly votes: (Vote | undefined)[]
  sum: bigint
}

export function createBlockVotes(size: number, peerMaj23: boolean): BlockVotes {
  return { peerMaj23, bits: new BitSet(size), votes: new Array<Vote | undefined>(size).fill(undefined), sum: 0n }
}

export function addToBlockVotes(target: BlockVotes, vote: Vote, power: bigint): void {
  if (target.votes[vote.validatorIndex] !== undefined) return
  target.bits.set(vote.validatorIndex, true)
  target.votes[vote.validatorIndex] = vote
  target.sum += power
}
