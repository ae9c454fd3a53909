import { ProofOps } from '../crypto/wire.ts'
import { ConsensusParamsUpdate } from '../params/wire.ts'
import {
  bytes,
  enumeration,
  field,
  type Infer,
  int64,
  type MessageSchema,
  message,
  oneof,
  optional,
  repeated,
  safeInt64,
  string,
  uint32,
  uint64,
  when,
} from '../schema/index.ts'
import { Event, ExecTxResult, FullEvent, NULL_NIL, OMIT, OMIT_NIL, Snapshot, ValidatorUpdate } from './common.ts'
import type { ApplySnapshotChunkResult, OfferSnapshotResult, ProposalStatus, VerifyStatus } from './enums.ts'

const responseExceptionSchema = message('tendermint.abci.ResponseException', {
  error: field(1, string, OMIT),
})
/** The response of an application that could not perform a call. */
export interface ResponseException extends Infer<typeof responseExceptionSchema> {}
export const ResponseException: MessageSchema<ResponseException> = responseExceptionSchema

const responseEchoSchema = message('tendermint.abci.ResponseEcho', {
  message: field(1, string, OMIT),
})
/** The response to Echo. */
export interface ResponseEcho extends Infer<typeof responseEchoSchema> {}
export const ResponseEcho: MessageSchema<ResponseEcho> = responseEchoSchema

const responseFlushSchema = message('tendermint.abci.ResponseFlush', {})
/** The response to Flush. */
export interface ResponseFlush extends Infer<typeof responseFlushSchema> {}
export const ResponseFlush: MessageSchema<ResponseFlush> = responseFlushSchema

const responseInfoSchema = message('tendermint.abci.ResponseInfo', {
  data: field(1, string, OMIT),
  version: field(2, string, OMIT),
  appVersion: field(3, uint64, OMIT),
  lastBlockHeight: field(4, safeInt64, OMIT),
  lastBlockAppHash: field(5, bytes, OMIT),
})
/** The response to Info. */
export interface ResponseInfo extends Infer<typeof responseInfoSchema> {}
export const ResponseInfo: MessageSchema<ResponseInfo> = responseInfoSchema

const responseInitChainSchema = message('tendermint.abci.ResponseInitChain', {
  consensusParams: optional(1, ConsensusParamsUpdate, OMIT),
  validators: repeated(2, ValidatorUpdate, NULL_NIL),
  appHash: field(3, bytes, OMIT),
})
/** The response to InitChain. */
export interface ResponseInitChain extends Infer<typeof responseInitChainSchema> {}
export const ResponseInitChain: MessageSchema<ResponseInitChain> = responseInitChainSchema

const responseQuerySchema = message(
  'tendermint.abci.ResponseQuery',
  {
    code: field(1, uint32),
    log: field(3, string),
    info: field(4, string),
    index: field(5, safeInt64),
    key: field(6, bytes, NULL_NIL),
    value: field(7, bytes, NULL_NIL),
    proofOps: optional(8, ProofOps),
    height: field(9, safeInt64),
    codespace: field(10, string),
  },
  { jsonNames: 'camel' },
)
/** tendermint.abci.ResponseQuery: its JSON shows all fields, also the fields with zero values. */
export interface ResponseQuery extends Infer<typeof responseQuerySchema> {}
export const ResponseQuery: MessageSchema<ResponseQuery> = responseQuerySchema

const responseCheckTxSchema = message('tendermint.abci.ResponseCheckTx', {
  code: field(1, uint32),
  data: field(2, bytes, NULL_NIL),
  log: field(3, string),
  info: field(4, string),
  gasWanted: field(5, int64),
  gasUsed: field(6, int64),
  events: repeated(7, FullEvent),
  codespace: field(8, string),
})
/** tendermint.abci.ResponseCheckTx: its JSON shows all fields, also the fields with zero values. */
export interface ResponseCheckTx extends Infer<typeof responseCheckTxSchema> {}
export const ResponseCheckTx: MessageSchema<ResponseCheckTx> = responseCheckTxSchema

const responseCommitSchema = message(
  'tendermint.abci.ResponseCommit',
  { retainHeight: field(3, safeInt64) },
  { jsonNames: 'camel' },
)
/** The response to Commit. */
export interface ResponseCommit extends Infer<typeof responseCommitSchema> {}
export const ResponseCommit: MessageSchema<ResponseCommit> = responseCommitSchema

const responseListSnapshotsSchema = message('tendermint.abci.ResponseListSnapshots', {
  snapshots: repeated(1, Snapshot, OMIT_NIL),
})
/** The response to ListSnapshots. */
export interface ResponseListSnapshots extends Infer<typeof responseListSnapshotsSchema> {}
export const ResponseListSnapshots: MessageSchema<ResponseListSnapshots> = responseListSnapshotsSchema

const responseOfferSnapshotSchema = message('tendermint.abci.ResponseOfferSnapshot', {
  result: field(1, enumeration<OfferSnapshotResult>(), OMIT),
})
/** The response to OfferSnapshot. */
export interface ResponseOfferSnapshot extends Infer<typeof responseOfferSnapshotSchema> {}
export const ResponseOfferSnapshot: MessageSchema<ResponseOfferSnapshot> = responseOfferSnapshotSchema

const responseLoadSnapshotChunkSchema = message('tendermint.abci.ResponseLoadSnapshotChunk', {
  chunk: field(1, bytes, OMIT),
})
/** The response to LoadSnapshotChunk. */
export interface ResponseLoadSnapshotChunk extends Infer<typeof responseLoadSnapshotChunkSchema> {}
export const ResponseLoadSnapshotChunk: MessageSchema<ResponseLoadSnapshotChunk> = responseLoadSnapshotChunkSchema

const responseApplySnapshotChunkSchema = message('tendermint.abci.ResponseApplySnapshotChunk', {
  result: field(1, enumeration<ApplySnapshotChunkResult>(), OMIT),
  refetchChunks: repeated(2, uint32, OMIT_NIL),
  rejectSenders: repeated(3, string, OMIT_NIL),
})
/** The response to ApplySnapshotChunk. */
export interface ResponseApplySnapshotChunk extends Infer<typeof responseApplySnapshotChunkSchema> {}
export const ResponseApplySnapshotChunk: MessageSchema<ResponseApplySnapshotChunk> = responseApplySnapshotChunkSchema

const responsePrepareProposalSchema = message('tendermint.abci.ResponsePrepareProposal', {
  txs: repeated(1, bytes, OMIT_NIL),
})
/** The response to PrepareProposal. */
export interface ResponsePrepareProposal extends Infer<typeof responsePrepareProposalSchema> {}
export const ResponsePrepareProposal: MessageSchema<ResponsePrepareProposal> = responsePrepareProposalSchema

const responseProcessProposalSchema = message('tendermint.abci.ResponseProcessProposal', {
  status: field(1, enumeration<ProposalStatus>(), OMIT),
})
/** The response to ProcessProposal. */
export interface ResponseProcessProposal extends Infer<typeof responseProcessProposalSchema> {}
export const ResponseProcessProposal: MessageSchema<ResponseProcessProposal> = responseProcessProposalSchema

const responseExtendVoteSchema = message('tendermint.abci.ResponseExtendVote', {
  voteExtension: field(1, bytes, OMIT),
})
/** The response to ExtendVote. */
export interface ResponseExtendVote extends Infer<typeof responseExtendVoteSchema> {}
export const ResponseExtendVote: MessageSchema<ResponseExtendVote> = responseExtendVoteSchema

const responseVerifyVoteExtensionSchema = message('tendermint.abci.ResponseVerifyVoteExtension', {
  status: field(1, enumeration<VerifyStatus>(), OMIT),
})
/** The response to VerifyVoteExtension. */
export interface ResponseVerifyVoteExtension extends Infer<typeof responseVerifyVoteExtensionSchema> {}
export const ResponseVerifyVoteExtension: MessageSchema<ResponseVerifyVoteExtension> = responseVerifyVoteExtensionSchema

const responseFinalizeBlockSchema = message('tendermint.abci.ResponseFinalizeBlock', {
  events: repeated(1, Event, OMIT_NIL),
  // The JSON leaves out an empty list, because the reference turns it into nil before it writes JSON.
  txResults: repeated(2, ExecTxResult, OMIT),
  validatorUpdates: repeated(3, ValidatorUpdate, NULL_NIL),
  consensusParamUpdates: optional(4, ConsensusParamsUpdate, OMIT),
  appHash: field(5, bytes, OMIT),
})
/** The response to FinalizeBlock. */
export interface ResponseFinalizeBlock extends Infer<typeof responseFinalizeBlockSchema> {}
export const ResponseFinalizeBlock: MessageSchema<ResponseFinalizeBlock> = responseFinalizeBlockSchema

/** An application's response. */
export const Response = message('tendermint.abci.Response', {
  value: oneof({
    exception: when(1, ResponseException),
    echo: when(2, ResponseEcho),
    flush: when(3, ResponseFlush),
    info: when(4, ResponseInfo),
    initChain: when(6, ResponseInitChain),
    query: when(7, ResponseQuery),
    checkTx: when(9, ResponseCheckTx),
    commit: when(12, ResponseCommit),
    listSnapshots: when(13, ResponseListSnapshots),
    offerSnapshot: when(14, ResponseOfferSnapshot),
    loadSnapshotChunk: when(15, ResponseLoadSnapshotChunk),
    applySnapshotChunk: when(16, ResponseApplySnapshotChunk),
    prepareProposal: when(17, ResponsePrepareProposal),
    processProposal: when(18, ResponseProcessProposal),
    extendVote: when(19, ResponseExtendVote),
    verifyVoteExtension: when(20, ResponseVerifyVoteExtension),
    finalizeBlock: when(21, ResponseFinalizeBlock),
  }),
})
export type Response = Infer<typeof Response>
