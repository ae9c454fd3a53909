import { PublicKey } from '../crypto/public-key.ts'
import { field, type Infer, int32, message, oneof, optional, string, when } from '../schema/index.ts'
import { Proposal, Vote } from '../vote/wire.ts'

/** Codes of a {@link RemoteSignerError}. */
export const SignerErrorCode = {
  unknown: 0,
  unexpectedResponse: 1,
  noConnection: 2,
  connectionTimeout: 3,
  readTimeout: 4,
  writeTimeout: 5,
} as const
export type SignerErrorCode = (typeof SignerErrorCode)[keyof typeof SignerErrorCode]

/** The reason why a remote signer refused a request. */
export const RemoteSignerError = message('tendermint.privval.RemoteSignerError', {
  code: field(1, int32),
  description: field(2, string),
})
export type RemoteSignerError = Infer<typeof RemoteSignerError>

/** A request for the public key of the remote signer. */
export const PubKeyRequest = message('tendermint.privval.PubKeyRequest', { chainId: field(1, string) })
export type PubKeyRequest = Infer<typeof PubKeyRequest>

/** The answer with a public key, or with an error. */
export const PubKeyResponse = message('tendermint.privval.PubKeyResponse', {
  pubKey: field(1, PublicKey),
  error: optional(2, RemoteSignerError),
})
export type PubKeyResponse = Infer<typeof PubKeyResponse>

/** A request to sign a vote. */
export const SignVoteRequest = message('tendermint.privval.SignVoteRequest', {
  vote: optional(1, Vote),
  chainId: field(2, string),
})
export type SignVoteRequest = Infer<typeof SignVoteRequest>

/** The answer with the signed vote, or with an error. */
export const SignedVoteResponse = message('tendermint.privval.SignedVoteResponse', {
  vote: field(1, Vote),
  error: optional(2, RemoteSignerError),
})
export type SignedVoteResponse = Infer<typeof SignedVoteResponse>

/** A request to sign a proposal. */
export const SignProposalRequest = message('tendermint.privval.SignProposalRequest', {
  proposal: optional(1, Proposal),
  chainId: field(2, string),
})
export type SignProposalRequest = Infer<typeof SignProposalRequest>

/** The answer with the signed proposal, or with an error. */
export const SignedProposalResponse = message('tendermint.privval.SignedProposalResponse', {
  proposal: field(1, Proposal),
  error: optional(2, RemoteSignerError),
})
export type SignedProposalResponse = Infer<typeof SignedProposalResponse>

/** A request that the remote signer answers at once, so that a dead connection is found. */
export const PingRequest = message('tendermint.privval.PingRequest', {})
export type PingRequest = Infer<typeof PingRequest>

/** The answer to a {@link PingRequest}. */
export const PingResponse = message('tendermint.privval.PingResponse', {})
export type PingResponse = Infer<typeof PingResponse>

/** A message between a node and a remote signer. */
export const SignerMessage = message('tendermint.privval.Message', {
  sum: oneof({
    pubKeyRequest: when(1, PubKeyRequest),
    pubKeyResponse: when(2, PubKeyResponse),
    signVoteRequest: when(3, SignVoteRequest),
    signedVoteResponse: when(4, SignedVoteResponse),
    signProposalRequest: when(5, SignProposalRequest),
    signedProposalResponse: when(6, SignedProposalResponse),
    pingRequest: when(7, PingRequest),
    pingResponse: when(8, PingResponse),
  }),
})
export type SignerMessage = Infer<typeof SignerMessage>
