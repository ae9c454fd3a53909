import type {
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
} from '@org/types/abci'
import type { MethodName } from '../messages/index.ts'
import type * as answers from './answers.ts'

/**
 * An application, as a node calls it. Every method is optional. In place of a missing method, the node uses the answer
 * of the reference's base application. A method returns its answer, or a promise of the answer. If a method throws an
 * error, the node receives an exception, and the connection ends. So a method throws only because of a fault. To refuse
 * a transaction, it returns a code other than 0.
 *
 * Calls never overlap, with one exception: while a call waits for its promise, one call of `info`, `query`,
 * `listSnapshots` or `loadSnapshotChunk` may run at the same time.
 */
export interface Application {
  /** Returns the last height of the application. Called at each start of a node. */
  readonly info?: (request: RequestInfo) => Answer<answers.InfoAnswer>
  /** Answers a query of a client about committed state. */
  readonly query?: (request: RequestQuery) => Answer<answers.QueryAnswer>
  /** Decides whether a transaction may wait for a block. Must not change the state. */
  readonly checkTx?: (request: RequestCheckTx) => Answer<answers.CheckTxAnswer>
  /** Begins a chain with the genesis document's `app_state` and validators. May return nothing. */
  readonly initChain?: (request: RequestInitChain) => MaybeAnswer<answers.InitChainAnswer>
  /** Chooses the transactions of a block that this node proposes. */
  readonly prepareProposal?: (request: RequestPrepareProposal) => Answer<answers.PrepareProposalAnswer>
  /** Decides whether a proposed block is accepted. */
  readonly processProposal?: (request: RequestProcessProposal) => Answer<answers.ProcessProposalAnswer>
  readonly extendVote?: (request: RequestExtendVote) => Answer<answers.ExtendVoteAnswer>
  readonly verifyVoteExtension?: (request: RequestVerifyVoteExtension) => Answer<answers.VerifyVoteExtensionAnswer>
  /** Executes a decided block. The application of every node must return the same answer. */
  readonly finalizeBlock?: (request: RequestFinalizeBlock) => Answer<answers.FinalizeBlockAnswer>
  /** Makes the state of the last block durable. May return nothing. */
  readonly commit?: (request: RequestCommit) => MaybeAnswer<answers.CommitAnswer>
  readonly listSnapshots?: (request: RequestListSnapshots) => Answer<answers.ListSnapshotsAnswer>
  readonly offerSnapshot?: (request: RequestOfferSnapshot) => Answer<answers.OfferSnapshotAnswer>
  readonly loadSnapshotChunk?: (request: RequestLoadSnapshotChunk) => Answer<answers.LoadSnapshotChunkAnswer>
  readonly applySnapshotChunk?: (request: RequestApplySnapshotChunk) => Answer<answers.ApplySnapshotChunkAnswer>
}

/** An answer, or a promise of an answer. */
type Answer<T> = T | Promise<T>
/** An answer that may be absent. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement fits only `void`
type MaybeAnswer<T> = Answer<T | undefined | void>

/** The type of the value that an application may return from a method. */
export type AnswerOf<M extends MethodName> = Awaited<ReturnType<NonNullable<Application[M]>>>
