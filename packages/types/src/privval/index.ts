export {
  Message,
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
} from './wire.ts'
