import { ProofOps } from '../crypto/wire.ts'
import { ConsensusParamsUpdate } from '../params/wire.ts'
import {
  bytes,
  enumeration,
  field,
  type Infer,
  int64,
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

export const ResponseException = message('tendermint.abci.ResponseException', {
  error: field(1, string, OMIT),
})
export type ResponseException = Infer<typeof ResponseException>

export const ResponseEcho = message('tendermint.abci.ResponseEcho', {
  message: field(1, string, OMIT),
})
export type ResponseEcho = Infer<typeof ResponseEcho>

export const ResponseFlush = message('tendermint.abci.ResponseFlush', {})
export type ResponseFlush = Infer<typeof ResponseFlush>

export const ResponseInfo = message('tendermint.abci.ResponseInfo', {
  data: field(1, string, OMIT),
  version: field(2, string, OMIT),
  appVersion: field(3, uint64, OMIT),
  lastBlockHeight: field(4, safeInt64, OMIT),
  lastBlockAppHash: field(5, bytes, OMIT),
})
export type ResponseInfo = Infer<typeof ResponseInfo>

export const ResponseInitChain = message('tendermint.abci.ResponseInitChain', {
  consensusParams: optional(1, ConsensusParamsUpdate, OMIT),
  validators: repeated(2, ValidatorUpdate, NULL_NIL),
  appHash: field(3, bytes, OMIT),
})
export type ResponseInitChain = Infer<typeof ResponseInitChain>

/** JSON shows all fields. */
export const ResponseQuery = message(
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
export type ResponseQuery = Infer<typeof ResponseQuery>

/** JSON shows all fields. */
export const ResponseCheckTx = message('tendermint.abci.ResponseCheckTx', {
  code: field(1, uint32),
  data: field(2, bytes, NULL_NIL),
  log: field(3, string),
  info: field(4, string),
  gasWanted: field(5, int64),
  gasUsed: field(6, int64),
  events: repeated(7, FullEvent),
  codespace: field(8, string),
})
export type ResponseCheckTx = Infer<typeof ResponseCheckTx>

export const ResponseCommit = message(
  'tendermint.abci.ResponseCommit',
  { retainHeight: field(3, safeInt64) },
  { jsonNames: 'camel' },
)
export type ResponseCommit = Infer<typeof ResponseCommit>

export const ResponseListSnapshots = message('tendermint.abci.ResponseListSnapshots', {
  snapshots: repeated(1, Snapshot, OMIT_NIL),
})
export type ResponseListSnapshots = Infer<typeof ResponseListSnapshots>

export const ResponseOfferSnapshot = message('tendermint.abci.ResponseOfferSnapshot', {
  result: field(1, enumeration<OfferSnapshotResult>(), OMIT),
})
export type ResponseOfferSnapshot = Infer<typeof ResponseOfferSnapshot>

export const ResponseLoadSnapshotChunk = message('tendermint.abci.ResponseLoadSnapshotChunk', {
  chunk: field(1, bytes, OMIT),
})
export type ResponseLoadSnapshotChunk = Infer<typeof ResponseLoadSnapshotChunk>

export const ResponseApplySnapshotChunk = message('tendermint.abci.ResponseApplySnapshotChunk', {
  result: field(1, enumeration<ApplySnapshotChunkResult>(), OMIT),
  refetchChunks: repeated(2, uint32, OMIT_NIL),
  rejectSenders: repeated(3, string, OMIT_NIL),
})
export type ResponseApplySnapshotChunk = Infer<typeof ResponseApplySnapshotChunk>

export const ResponsePrepareProposal = message('tendermint.abci.ResponsePrepareProposal', {
  txs: repeated(1, bytes, OMIT_NIL),
})
export type ResponsePrepareProposal = Infer<typeof ResponsePrepareProposal>

export const ResponseProcessProposal = message('tendermint.abci.ResponseProcessProposal', {
  status: field(1, enumeration<ProposalStatus>(), OMIT),
})
export type ResponseProcessProposal = Infer<typeof ResponseProcessProposal>

export const ResponseExtendVote = message('tendermint.abci.ResponseExtendVote', {
  voteExtension: field(1, bytes, OMIT),
})
export type ResponseExtendVote = Infer<typeof ResponseExtendVote>

export const ResponseVerifyVoteExtension = message('tendermint.abci.ResponseVerifyVoteExtension', {
  status: field(1, enumeration<VerifyStatus>(), OMIT),
})
export type ResponseVerifyVoteExtension = Infer<typeof ResponseVerifyVoteExtension>

export const ResponseFinalizeBlock = message('tendermint.abci.ResponseFinalizeBlock', {
  events: repeated(1, Event, OMIT_NIL),
  // The reference turns an empty list into nil early.
  txResults: repeated(2, ExecTxResult, OMIT),
  validatorUpdates: repeated(3, ValidatorUpdate, NULL_NIL),
  consensusParamUpdates: optional(4, ConsensusParamsUpdate, OMIT),
  appHash: field(5, bytes, OMIT),
})
export type ResponseFinalizeBlock = Infer<typeof ResponseFinalizeBlock>

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
