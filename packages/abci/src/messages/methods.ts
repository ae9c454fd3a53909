import {
  RequestApplySnapshotChunk,
  RequestCheckTx,
  RequestCommit,
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestInfo,
  RequestInitChain,
  RequestListSnapshots,
  RequestLoadSnapshotChunk,
  RequestOfferSnapshot,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestQuery,
  RequestVerifyVoteExtension,
  ResponseApplySnapshotChunk,
  ResponseCheckTx,
  ResponseCommit,
  ResponseExtendVote,
  ResponseFinalizeBlock,
  ResponseInfo,
  ResponseInitChain,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  ResponseOfferSnapshot,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseQuery,
  ResponseVerifyVoteExtension,
} from '@org/types/abci'
import type { MessageSchema } from '@org/types/schema'

/**
 * The lane in which a call runs. Calls in the lane `state` may change the application, and never overlap, because the
 * reference has a single lock for the application. Calls in the lane `read` wait only for each other, so that a query
 * never waits for a block.
 */
export type LaneName = 'state' | 'read'

/** A method of ABCI: its messages, and the lane in which its calls wait. */
export interface Method<Request, Response> {
  readonly request: MessageSchema<Request>
  readonly response: MessageSchema<Response>
  readonly lane: LaneName
  /** The name of the method in the gRPC service. */
  readonly rpc: string
}

function method<Request, Response>(
  request: MessageSchema<Request>,
  response: MessageSchema<Response>,
  lane: LaneName = 'state',
): Method<Request, Response> {
  return { request, response, lane, rpc: request.typeName.slice('tendermint.abci.Request'.length) }
}

/** The request and the response of each method of an application. */
interface MethodMessages {
  readonly info: readonly [RequestInfo, ResponseInfo]
  readonly query: readonly [RequestQuery, ResponseQuery]
  readonly checkTx: readonly [RequestCheckTx, ResponseCheckTx]
  readonly initChain: readonly [RequestInitChain, ResponseInitChain]
  readonly prepareProposal: readonly [RequestPrepareProposal, ResponsePrepareProposal]
  readonly processProposal: readonly [RequestProcessProposal, ResponseProcessProposal]
  readonly extendVote: readonly [RequestExtendVote, ResponseExtendVote]
  readonly verifyVoteExtension: readonly [RequestVerifyVoteExtension, ResponseVerifyVoteExtension]
  readonly finalizeBlock: readonly [RequestFinalizeBlock, ResponseFinalizeBlock]
  readonly commit: readonly [RequestCommit, ResponseCommit]
  readonly listSnapshots: readonly [RequestListSnapshots, ResponseListSnapshots]
  readonly offerSnapshot: readonly [RequestOfferSnapshot, ResponseOfferSnapshot]
  readonly loadSnapshotChunk: readonly [RequestLoadSnapshotChunk, ResponseLoadSnapshotChunk]
  readonly applySnapshotChunk: readonly [RequestApplySnapshotChunk, ResponseApplySnapshotChunk]
}

/** The name of a method of ABCI, such as `checkTx`. */
export type MethodName = keyof MethodMessages
/** The type of the request of a method. */
export type RequestOf<M extends MethodName> = MethodMessages[M][0]
/** The type of the response to a method. */
export type ResponseOf<M extends MethodName> = MethodMessages[M][1]

/**
 * The methods of an application. A key, such as `checkTx`, is also the name of the method's case in the messages
 * `Request` and `Response`. `echo` and `flush` are not included, because they never reach the application.
 */
export const METHODS: { readonly [M in MethodName]: Method<RequestOf<M>, ResponseOf<M>> } = {
  info: method(RequestInfo, ResponseInfo, 'read'),
  query: method(RequestQuery, ResponseQuery, 'read'),
  checkTx: method(RequestCheckTx, ResponseCheckTx),
  initChain: method(RequestInitChain, ResponseInitChain),
  prepareProposal: method(RequestPrepareProposal, ResponsePrepareProposal),
  processProposal: method(RequestProcessProposal, ResponseProcessProposal),
  extendVote: method(RequestExtendVote, ResponseExtendVote),
  verifyVoteExtension: method(RequestVerifyVoteExtension, ResponseVerifyVoteExtension),
  finalizeBlock: method(RequestFinalizeBlock, ResponseFinalizeBlock),
  commit: method(RequestCommit, ResponseCommit),
  listSnapshots: method(RequestListSnapshots, ResponseListSnapshots, 'read'),
  offerSnapshot: method(RequestOfferSnapshot, ResponseOfferSnapshot),
  loadSnapshotChunk: method(RequestLoadSnapshotChunk, ResponseLoadSnapshotChunk, 'read'),
  applySnapshotChunk: method(RequestApplySnapshotChunk, ResponseApplySnapshotChunk),
}

/** The names of all methods of ABCI. */
export const METHOD_NAMES: readonly MethodName[] = Object.keys(METHODS) as MethodName[]

/** The name of the gRPC service of an application. */
export const GRPC_SERVICE = 'tendermint.abci.ABCI'
