export { Commit, CommitSig, ExtendedCommit, ExtendedCommitSig } from './commit.ts'
export {
  ABSENT_COMMIT_SIG,
  ABSENT_EXTENDED_COMMIT_SIG,
  commitSigBlockId,
  commitToExtendedCommit,
  commitVote,
  extendedCommitToCommit,
  extendedCommitVote,
  formatCommitSig,
  hashCommit,
  voteToCommitSig,
  voteToExtendedCommitSig,
} from './commit-votes.ts'
export {
  ensureExtensions,
  MAX_VOTE_EXTENSION_SIZE,
  validateCommitBasic,
  validateCommitSigBasic,
  validateExtendedCommitBasic,
  validateExtendedCommitSigBasic,
} from './validate-commit.ts'
