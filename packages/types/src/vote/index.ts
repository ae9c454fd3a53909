export {
  CanonicalBlockId,
  CanonicalPartSetHeader,
  CanonicalProposal,
  CanonicalVote,
  CanonicalVoteExtension,
} from './canonical.ts'
export { Proposal, SignedMsgType, Vote } from './wire.ts'
