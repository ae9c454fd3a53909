export { type ConsensusPosition, compareConsensusPositions } from './position.ts'
export { EndHeight, MsgInfo, TimedWalMessage, TimeoutInfo, WalMessage } from './wal.ts'
export {
  BlockPart,
  ConsensusMessage,
  HasVote,
  NewRoundStep,
  NewValidBlock,
  ProposalMessage,
  ProposalPol,
  VoteMessage,
  VoteSetBits,
  VoteSetMaj23,
} from './wire.ts'
