import { ConsensusParamsUpdate } from '../params/wire.ts'
import {
  bool,
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
  safeUint64,
  string,
  time,
  uint32,
  uint64,
  when,
} from '../schema/index.ts'
import {
  CommitInfo,
  ExtendedCommitInfo,
  Misbehavior,
  NULL_NIL,
  OMIT,
  OMIT_NIL,
  Snapshot,
  ValidatorUpdate,
} from './common.ts'
import type { CheckTxType } from './enums.ts'

const requestEchoSchema = message('tendermint.abci.RequestEcho', {
  message: field(1, string, OMIT),
})
/** The request of Echo. */
export interface RequestEcho extends Infer<typeof requestEchoSchema> {}
export const RequestEcho: MessageSchema<RequestEcho> = requestEchoSchema

const requestFlushSchema = message('tendermint.abci.RequestFlush', {})
/** The request of Flush. */
export interface RequestFlush extends Infer<typeof requestFlushSchema> {}
export const RequestFlush: MessageSchema<RequestFlush> = requestFlushSchema

const requestInfoSchema = message('tendermint.abci.RequestInfo', {
  version: field(1, string, OMIT),
  blockVersion: field(2, uint64, OMIT),
  p2pVersion: field(3, uint64, { ...OMIT, json: 'p2p_version' }),
  abciVersion: field(4, string, OMIT),
})
/** The request of Info. */
export interface RequestInfo extends Infer<typeof requestInfoSchema> {}
export const RequestInfo: MessageSchema<RequestInfo> = requestInfoSchema

const requestInitChainSchema = message('tendermint.abci.RequestInitChain', {
  time: field(1, time),
  chainId: field(2, string, OMIT),
  consensusParams: optional(3, ConsensusParamsUpdate, OMIT),
  validators: repeated(4, ValidatorUpdate, NULL_NIL),
  appStateBytes: field(5, bytes, OMIT),
  initialHeight: field(6, safeInt64, OMIT),
})
/** The request of InitChain. */
export interface RequestInitChain extends Infer<typeof requestInitChainSchema> {}
export const RequestInitChain: MessageSchema<RequestInitChain> = requestInitChainSchema

const requestQuerySchema = message('tendermint.abci.RequestQuery', {
  data: field(1, bytes, OMIT),
  path: field(2, string, OMIT),
  height: field(3, safeInt64, OMIT),
  prove: field(4, bool, OMIT),
})
/** The request of Query. */
export interface RequestQuery extends Infer<typeof requestQuerySchema> {}
export const RequestQuery: MessageSchema<RequestQuery> = requestQuerySchema

const requestCheckTxSchema = message('tendermint.abci.RequestCheckTx', {
  tx: field(1, bytes, OMIT),
  type: field(2, enumeration<CheckTxType>(), OMIT),
})
/** The request of CheckTx. */
export interface RequestCheckTx extends Infer<typeof requestCheckTxSchema> {}
export const RequestCheckTx: MessageSchema<RequestCheckTx> = requestCheckTxSchema

const requestCommitSchema = message('tendermint.abci.RequestCommit', {})
/** The request of Commit. */
export interface RequestCommit extends Infer<typeof requestCommitSchema> {}
export const RequestCommit: MessageSchema<RequestCommit> = requestCommitSchema

const requestListSnapshotsSchema = message('tendermint.abci.RequestListSnapshots', {})
/** The request of ListSnapshots. */
export interface RequestListSnapshots extends Infer<typeof requestListSnapshotsSchema> {}
export const RequestListSnapshots: MessageSchema<RequestListSnapshots> = requestListSnapshotsSchema

const requestOfferSnapshotSchema = message('tendermint.abci.RequestOfferSnapshot', {
  snapshot: optional(1, Snapshot, OMIT),
  appHash: field(2, bytes, OMIT),
})
/** The request of OfferSnapshot. */
export interface RequestOfferSnapshot extends Infer<typeof requestOfferSnapshotSchema> {}
export const RequestOfferSnapshot: MessageSchema<RequestOfferSnapshot> = requestOfferSnapshotSchema

const requestLoadSnapshotChunkSchema = message('tendermint.abci.RequestLoadSnapshotChunk', {
  height: field(1, safeUint64, OMIT),
  format: field(2, uint32, OMIT),
  chunk: field(3, uint32, OMIT),
})
/** The request of LoadSnapshotChunk. */
export interface RequestLoadSnapshotChunk extends Infer<typeof requestLoadSnapshotChunkSchema> {}
export const RequestLoadSnapshotChunk: MessageSchema<RequestLoadSnapshotChunk> = requestLoadSnapshotChunkSchema

const requestApplySnapshotChunkSchema = message('tendermint.abci.RequestApplySnapshotChunk', {
  index: field(1, uint32, OMIT),
  chunk: field(2, bytes, OMIT),
  sender: field(3, string, OMIT),
})
/** The request of ApplySnapshotChunk. */
export interface RequestApplySnapshotChunk extends Infer<typeof requestApplySnapshotChunkSchema> {}
export const RequestApplySnapshotChunk: MessageSchema<RequestApplySnapshotChunk> = requestApplySnapshotChunkSchema

const requestPrepareProposalSchema = message('tendermint.abci.RequestPrepareProposal', {
  maxTxBytes: field(1, int64, OMIT),
  txs: repeated(2, bytes, OMIT_NIL),
  localLastCommit: field(3, ExtendedCommitInfo),
  misbehavior: repeated(4, Misbehavior, NULL_NIL),
  height: field(5, safeInt64, OMIT),
  time: field(6, time),
  nextValidatorsHash: field(7, bytes, OMIT),
  proposerAddress: field(8, bytes, OMIT),
})
/** The request of PrepareProposal. */
export interface RequestPrepareProposal extends Infer<typeof requestPrepareProposalSchema> {}
export const RequestPrepareProposal: MessageSchema<RequestPrepareProposal> = requestPrepareProposalSchema

const requestProcessProposalSchema = message('tendermint.abci.RequestProcessProposal', {
  txs: repeated(1, bytes, OMIT_NIL),
  proposedLastCommit: field(2, CommitInfo),
  misbehavior: repeated(3, Misbehavior, NULL_NIL),
  hash: field(4, bytes, OMIT),
  height: field(5, safeInt64, OMIT),
  time: field(6, time),
  nextValidatorsHash: field(7, bytes, OMIT),
  proposerAddress: field(8, bytes, OMIT),
})
/** The request of ProcessProposal. */
export interface RequestProcessProposal extends Infer<typeof requestProcessProposalSchema> {}
export const RequestProcessProposal: MessageSchema<RequestProcessProposal> = requestProcessProposalSchema

const requestExtendVoteSchema = message('tendermint.abci.RequestExtendVote', {
  hash: field(1, bytes, OMIT),
  height: field(2, safeInt64, OMIT),
  time: field(3, time),
  txs: repeated(4, bytes, OMIT_NIL),
  proposedLastCommit: field(5, CommitInfo),
  misbehavior: repeated(6, Misbehavior, NULL_NIL),
  nextValidatorsHash: field(7, bytes, OMIT),
  proposerAddress: field(8, bytes, OMIT),
})
/** The request of ExtendVote. */
export interface RequestExtendVote extends Infer<typeof requestExtendVoteSchema> {}
export const RequestExtendVote: MessageSchema<RequestExtendVote> = requestExtendVoteSchema

const requestVerifyVoteExtensionSchema = message('tendermint.abci.RequestVerifyVoteExtension', {
  hash: field(1, bytes, OMIT),
  validatorAddress: field(2, bytes, OMIT),
  height: field(3, safeInt64, OMIT),
  voteExtension: field(4, bytes, OMIT),
})
/** The request of VerifyVoteExtension. */
export interface RequestVerifyVoteExtension extends Infer<typeof requestVerifyVoteExtensionSchema> {}
export const RequestVerifyVoteExtension: MessageSchema<RequestVerifyVoteExtension> = requestVerifyVoteExtensionSchema

const requestFinalizeBlockSchema = message('tendermint.abci.RequestFinalizeBlock', {
  txs: repeated(1, bytes, OMIT_NIL),
  decidedLastCommit: field(2, CommitInfo),
  misbehavior: repeated(3, Misbehavior, NULL_NIL),
  hash: field(4, bytes, OMIT),
  height: field(5, safeInt64, OMIT),
  time: field(6, time),
  nextValidatorsHash: field(7, bytes, OMIT),
  proposerAddress: field(8, bytes, OMIT),
})
/** The request of FinalizeBlock. */
export interface RequestFinalizeBlock extends Infer<typeof requestFinalizeBlockSchema> {}
export const RequestFinalizeBlock: MessageSchema<RequestFinalizeBlock> = requestFinalizeBlockSchema

/** A request of a node to an application. */
export const Request = message('tendermint.abci.Request', {
  value: oneof({
    echo: when(1, RequestEcho),
    flush: when(2, RequestFlush),
    info: when(3, RequestInfo),
    initChain: when(5, RequestInitChain),
    query: when(6, RequestQuery),
    checkTx: when(8, RequestCheckTx),
    commit: when(11, RequestCommit),
    listSnapshots: when(12, RequestListSnapshots),
    offerSnapshot: when(13, RequestOfferSnapshot),
    loadSnapshotChunk: when(14, RequestLoadSnapshotChunk),
    applySnapshotChunk: when(15, RequestApplySnapshotChunk),
    prepareProposal: when(16, RequestPrepareProposal),
    processProposal: when(17, RequestProcessProposal),
    extendVote: when(18, RequestExtendVote),
    verifyVoteExtension: when(19, RequestVerifyVoteExtension),
    finalizeBlock: when(20, RequestFinalizeBlock),
  }),
})
export type Request = Infer<typeof Request>
