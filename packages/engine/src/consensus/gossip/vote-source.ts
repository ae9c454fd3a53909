import {
  type BitSet,
  BlockIdFlag,
  bitSetFrom,
  type Commit,
  commitVote,
  type ExtendedCommit,
  extendedCommitVote,
  SignedMsgType,
  type Vote,
} from '@org/types'
import type { VoteSet } from '../machine/index.ts'

/** Votes of one height, round and type that a peer may lack. */
export interface VoteSource {
  readonly height: number
  readonly round: number
  readonly type: SignedMsgType
  readonly size: number
  /** True for precommits with +2/3 for one block or for nil. */
  readonly isCommit: boolean
  /** The validators whose votes the source has. Do not change this set. */
  readonly bits: BitSet
  readonly vote: (index: number) => Vote | undefined
}

/**
 * A vote set as a source of votes. This is a class because each search for a vote that a peer lacks makes such objects,
 * and the objects of a class share their methods.
 */
class VoteSetSource implements VoteSource {
  readonly #set: VoteSet

  constructor(set: VoteSet) {
    this.#set = set
  }

  get height(): number {
    return this.#set.options.height
  }

  get round(): number {
    return this.#set.options.round
  }

  get type(): SignedMsgType {
    return this.#set.options.type
  }

  get size(): number {
    return this.#set.size
  }

  get isCommit(): boolean {
    return this.type === SignedMsgType.precommit && this.#set.majority !== undefined
  }

  get bits(): BitSet {
    return this.#set.liveBits
  }

  vote(index: number): Vote | undefined {
    return this.#set.vote(index)
  }
}

export const voteSetSource = (set: VoteSet): VoteSource => new VoteSetSource(set)

interface CommitShape {
  readonly height: number
  readonly round: number
  readonly flags: readonly { readonly blockIdFlag: number }[]
}

function source({ height, round, flags }: CommitShape, vote: (index: number) => Vote): VoteSource {
  const bits = bitSetFrom(flags.length, (index) => flags[index]?.blockIdFlag !== BlockIdFlag.absent)
  return {
    height,
    round,
    type: SignedMsgType.precommit,
    size: flags.length,
    isCommit: flags.length > 0,
    bits,
    vote,
  }
}

export function commitSource(commit: Commit): VoteSource {
  return source({ ...commit, flags: commit.signatures }, (index) => commitVote(commit, index))
}

export function extendedCommitSource(commit: ExtendedCommit): VoteSource {
  return source({ ...commit, flags: commit.extendedSignatures }, (index) => extendedCommitVote(commit, index))
}
