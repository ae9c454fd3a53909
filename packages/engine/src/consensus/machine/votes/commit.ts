import {
  ABSENT_EXTENDED_COMMIT_SIG,
  BlockIdFlag,
  type Commit,
  commitVote,
  type ExtendedCommit,
  equalBlockIds,
  extendedCommitVote,
  isBlockIdZero,
  SignedMsgType,
  voteToExtendedCommitSig,
} from '@org/types'
import { MACHINE_ERRORS, MachineError } from '../errors.ts'
import { hasMajority, type MajorityVotes } from './two-thirds.ts'
import { VoteSet, type VoteSetOptions } from './vote-set.ts'

/** Makes a commit: precommits for the block and for nil are kept, all others are absent. */
export function makeExtendedCommit(set: MajorityVotes): ExtendedCommit {
  const { majority } = set
  const extendedSignatures = set.votes.map((vote) => {
    const other = vote !== undefined && !isBlockIdZero(vote.blockId) && !equalBlockIds(vote.blockId, majority)
    return other ? ABSENT_EXTENDED_COMMIT_SIG : voteToExtendedCommitSig(vote)
  })
  const { height, round } = set.options
  return { height, round, blockId: majority, extendedSignatures }
}

/** The commit of the last block as the block store has it, with vote extensions (`extended`) or without. */
export type StoredCommit =
  | { readonly kind: 'plain'; readonly commit: Commit }
  | { readonly kind: 'extended'; readonly commit: ExtendedCommit }

/**
 * Returns the precommits of a stored commit as a vote set. Throws `CONSENSUS_LAST_COMMIT` if a precommit is invalid or
 * +2/3 are missing.
 */
export function voteSetFromCommit(
  stored: StoredCommit,
  options: Pick<VoteSetOptions, 'chainId' | 'validators' | 'verify'>,
): MajorityVotes {
  const { height, round } = stored.commit
  const extended = stored.kind === 'extended'
  const set = new VoteSet({ ...options, height, round, type: SignedMsgType.precommit, extended })
  const signatures = stored.kind === 'extended' ? stored.commit.extendedSignatures : stored.commit.signatures
  for (const [index, { blockIdFlag }] of signatures.entries()) {
    if (blockIdFlag === BlockIdFlag.absent) continue
    const vote =
      stored.kind === 'extended' ? extendedCommitVote(stored.commit, index) : commitVote(stored.commit, index)
    const addition = set.add(vote)
    if (addition.kind !== 'added') {
      const reason = addition.kind === 'refused' ? addition.refusal : addition.kind
      const message = `vote ${index} of the stored commit for height ${height} is invalid: ${reason}`
      throw new MachineError(MACHINE_ERRORS.lastCommit, message, { data: { height, index, reason } })
    }
  }
  if (!hasMajority(set)) {
    const message = `the stored commit for height ${height} has no +2/3 majority`
    throw new MachineError(MACHINE_ERRORS.lastCommit, message, { data: { height } })
  }
  return set
}
