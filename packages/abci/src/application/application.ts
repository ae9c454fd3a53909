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
 * A state machine that a node drives. Every method may be left out; then it behaves as the reference's base application.
 * An answer may be a promise. What a method throws reaches the node as an exception and ends the connection: it is for
 * faults, not for transactions that are refused.
 *
 * Calls never overlap, except that `info`, `query`, `listSnapshots` and `loadSnapshotChunk` (one of them at a time) run
 * while another call waits for its promise.
 */
export interface Application {
  /** Says how far the application is. Asked whenever a node starts. */
  readonly info?: (request: RequestInfo) => Answer<answers.InfoAnswer>
  /** Answers a question of a user about committed state. */
  readonly query?: (request: RequestQuery) => Answer<answers.QueryAnswer>
  /** Says whether a transaction may wait for a block. Must not change the state. */
  readonly checkTx?: (request: RequestCheckTx) => Answer<answers.CheckTxAnswer>
  /** Begins a chain: the genesis document's `app_state` and validators. May answer nothing. */
  readonly initChain?: (request: RequestInitChain) => MaybeAnswer<answers.InitChainAnswer>
  /** Chooses the transactions of a block that this node proposes. */
  readonly prepareProposal?: (request: RequestPrepareProposal) => Answer<answers.PrepareProposalAnswer>
  /** Says whether a proposed block is acceptable. */
  readonly processProposal?: (request: RequestProcessProposal) => Answer<answers.ProcessProposalAnswer>
  readonly extendVote?: (request: RequestExtendVote) => Answer<answers.ExtendVoteAnswer>
  readonly verifyVoteExtension?: (request: RequestVerifyVoteExtension) => Answer<answers.VerifyVoteExtensionAnswer>
  /** Executes a decided block. Every node must answer the same. */
  readonly finalizeBlock?: (request: RequestFinalizeBlock) => Answer<answers.FinalizeBlockAnswer>
  /** Makes the state of the last block permanent. May answer nothing. */
  readonly commit?: (request: RequestCommit) => MaybeAnswer<answers.CommitAnswer>
  readonly listSnapshots?: (request: RequestListSnapshots) => Answer<answers.ListSnapshotsAnswer>
  readonly offerSnapshot?: (request: RequestOfferSnapshot) => Answer<answers.OfferSnapshotAnswer>
  readonly loadSnapshotChunk?: (request: RequestLoadSnapshotChunk) => Answer<answers.LoadSnapshotChunkAnswer>
  readonly applySnapshotChunk?: (request: RequestApplySnapshotChunk) => Answer<answers.ApplySnapshotChunkAnswer>
}

/** An answer, or a promise of it. */
type Answer<T> = T | Promise<T>
/** An answer that may be left out. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement fits only `void`
type MaybeAnswer<T> = Answer<T | undefined | void>

/** What an application may answer to a method. */
export type AnswerOf<M extends MethodName> = Awaited<ReturnType<NonNullable<Application[M]>>>
