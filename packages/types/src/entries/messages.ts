/** `@org/types/messages`: the messages between peers, to a signer, and in the write-ahead log of consensus. */
export {
  BlockRequest,
  BlockResponse,
  BlockSyncMessage,
  NoBlockResponse,
  StatusRequest,
  StatusResponse,
} from '../blocksync/index.ts'
export {
  BlockPart,
  ConsensusMessage,
  EndHeight,
  HasVote,
  MsgInfo,
  NewRoundStep,
  NewValidBlock,
  ProposalMessage,
  ProposalPol,
  TimedWalMessage,
  TimeoutInfo,
  VoteMessage,
  VoteSetBits,
  VoteSetMaj23,
  WalMessage,
} from '../consensus/index.ts'
export { MempoolMessage, Txs } from '../mempool/index.ts'
export {
  PingRequest,
  PingResponse,
  PubKeyRequest,
  PubKeyResponse,
  RemoteSignerError,
  SignedProposalResponse,
  SignedVoteResponse,
  SignerErrorCode,
  SignerMessage,
  SignProposalRequest,
  SignVoteRequest,
} from '../privval/index.ts'
export {
  ChunkRequest,
  ChunkResponse,
  SnapshotsRequest,
  SnapshotsResponse,
  StateSyncMessage,
} from '../statesync/index.ts'
