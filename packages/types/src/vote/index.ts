export {
  CanonicalBlockId,
  CanonicalPartSetHeader,
  CanonicalProposal,
  CanonicalVote,
  CanonicalVoteExtension,
} from './canonical.ts'
export { VOTE_ERRORS, VoteError, type VoteErrorCode } from './errors.ts'
export { formatProposal, validateProposalBasic, validateProposalBlockSize, verifyProposal } from './proposal.ts'
export { proposalSignBytes, voteExtensionSignBytes, voteSignBytes } from './sign-bytes.ts'
export {
  formatVote,
  isPrecommitForBlock,
  isVoteTypeValid,
  MAX_VOTES_COUNT,
  validateVoteBasic,
  verifyVote,
  verifyVoteAndExtension,
  verifyVoteExtension,
} from './vote.ts'
export { Proposal, SignedMsgType, Vote } from './wire.ts'
