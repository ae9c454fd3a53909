import type { Block, EventData, Evidence, State } from '@org/types'
import type {
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestVerifyVoteExtension,
  ResponseCommit,
  ResponseExtendVote,
  ResponseFinalizeBlock,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseVerifyVoteExtension,
} from '@org/types/abci'
import type { BlockTxs } from '../mempool/index.ts'
import type { BlockStore, StateStore } from '../store/index.ts'

/** The calls that execution makes on the application's consensus connection. */
export interface ExecutionApp {
  readonly prepareProposal: (request: RequestPrepareProposal) => Promise<ResponsePrepareProposal>
  readonly processProposal: (request: RequestProcessProposal) => Promise<ResponseProcessProposal>
  readonly extendVote: (request: RequestExtendVote) => Promise<ResponseExtendVote>
  readonly verifyVoteExtension: (request: RequestVerifyVoteExtension) => Promise<ResponseVerifyVoteExtension>
  readonly finalizeBlock: (request: RequestFinalizeBlock) => Promise<ResponseFinalizeBlock>
  readonly commit: () => Promise<ResponseCommit>
}

/** The calls to the application that change the application's state. */
export type CommitApp = Pick<ExecutionApp, 'finalizeBlock' | 'commit'>

/** The port through which execution uses the mempool. */
export type ExecutionMempool = BlockTxs

/** The port through which execution uses the evidence pool. */
export interface ExecutionEvidence {
  /**
   * Returns pending evidence, oldest first, at most `maxBytes` together. `size` is the size in bytes that this evidence
   * takes in a block.
   */
  readonly pendingEvidence: (maxBytes: bigint) => { readonly evidence: readonly Evidence[]; readonly size: number }
  /**
   * Verifies the evidence list of a block. Rejects if a block must not contain this list. `isAgreed` is true if
   * validators with more than two thirds of the power have voted for the block.
   */
  readonly checkEvidence: (evidence: readonly Evidence[], block: { readonly isAgreed: boolean }) => Promise<void>
  readonly update: (state: State, committed: readonly Evidence[]) => Promise<void>
}

export type ExecutionStateStore = Pick<StateStore, 'save' | 'saveFinalizeBlockResponse' | 'pruneStates'>
export type ExecutionBlockStore = Pick<BlockStore, 'base' | 'pruneBlocks'>

/**
 * The port through which execution uses the indexer. If `index` is called again for a block, it must not add entries
 * twice.
 */
export interface ExecutionIndexer {
  readonly index: (block: Block, response: ResponseFinalizeBlock) => Promise<void>
  /** Returns true if a block is indexed. Absent: the indexer cannot check this. */
  readonly hasBlock?: (height: number) => boolean
  /** Removes everything below a height. Absent: the index keeps its entries when their blocks are pruned. */
  readonly prune?: (retainHeight: number) => Promise<void>
}

/** The port through which a commit publishes the events of a block. */
export interface ExecutionEvents {
  readonly publish: (event: EventData) => void
}
