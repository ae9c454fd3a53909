/** `@org/types/messages`: the messages between peers, to a signer, and in the write-ahead log of consensus. */
export {
  BlockRequest,
  BlockResponse,
  Message as BlockSyncMessage,
  NoBlockResponse,
  StatusRequest,
  StatusResponse,
} from '../blocksync/index.ts'
export {
  BlockPart,
  EndHeight,
  HasVote,
  Message as ConsensusMessage,
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
export { Message as MempoolMessage, Txs } from '../mempool/index.ts'
export {
  Message as SignerMessage,
  PingRequest,
  PingResponse,
  PubKeyRequest,
  PubKeyResponse,
  RemoteSignerError,
  SignedProposalResponse,
  SignedVoteResponse,
  SignerErrorCode,
  SignProposalRequest,
  SignVoteRequest,
} from '../privval/index.ts'
export {
  ChunkRequest,
  ChunkResponse,
  Message as StateSyncMessage,
  SnapshotsRequest,
  SnapshotsResponse,
} from '../statesync/index.ts'
