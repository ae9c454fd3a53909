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
} from './wire.ts'
