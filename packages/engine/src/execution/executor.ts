import type { Metrics } from '@org/runtime'
import {
  type Block,
  type BlockId,
  type ExtendedCommit,
  evidenceHeight,
  evidenceListToMisbehavior,
  extendedCommitToCommit,
  hashBlock,
  hashValidators,
  makeBlockParts,
  maxDataBytes,
  maxProposedTxs,
  type PartSet,
  type State,
  type Vote,
  validateTxsSize,
} from '@org/types'
import { ProposalStatus, VerifyStatus } from '@org/types/abci'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { Time } from '@org/types/time'
import type { SignatureChecker } from '../signatures/index.ts'
import type { BlockToCommit } from './commit/commit-actions.ts'
import { type CommitSequenceModules, createCommitSequence } from './commit/commit-sequence.ts'
import { extendedCommitInfo, lastCommitInfo } from './commit-info.ts'
import { EXECUTION_ERRORS, ExecutionError } from './errors.ts'
import { makeNextBlock, nextBlockTime } from './make-block.ts'
import { createExecutionMetrics } from './metrics.ts'
import type { ExecutionApp, ExecutionEvidence, ExecutionMempool } from './ports.ts'
import { processProposalRequest } from './requests.ts'
import { blockBudget } from './tx-filter.ts'
import { validateBlock } from './validate-block.ts'
import type { VerifiedVotes } from './verified-votes.ts'
import { createCommitVerifier } from './verify-commit.ts'

export interface ExecutorOptions {
  /**
   * A proposed block is refused if its time is ahead of this node's clock by at least this many nanoseconds. 0 means no
   * limit.
   */
  readonly blockTimeTolerance: bigint
  /**
   * True if the application runs in this process. A crash then loses the work of the application too. So the
   * application may execute a block while the node still saves the block. An application in another process may survive
   * a crash of the node, and then report a height that it has executed but not committed. So an application in another
   * process receives only blocks that the node has saved.
   */
  readonly isAppInProcess?: boolean
}

export interface ExecutorModules extends Omit<CommitSequenceModules, 'metrics' | 'app' | 'mempool' | 'evidencePool'> {
  readonly app: ExecutionApp
  readonly mempool: ExecutionMempool
  readonly evidencePool: ExecutionEvidence
  readonly metrics: Metrics
  /**
   * Resolves when the header of a height is stored. After a state sync, the node fetches old headers. Also resolves if
   * the header is not needed any more or can no longer be fetched. Default: no header is fetched, so there is no wait.
   */
  readonly whenHeaderStored?: (height: number, signal: AbortSignal) => Promise<void>
  /** Votes whose signatures were verified on arrival. */
  readonly verifiedVotes?: VerifiedVotes
  /** Verifies the signatures of commits. Default: `POOLED_SIGNATURES`. */
  readonly signatures?: SignatureChecker
}

export interface ProposalRequest {
  readonly height: number
  readonly state: State
  /** The extended commit of the previous height; an empty one at the initial height. */
  readonly lastExtendedCommit: ExtendedCommit
  readonly proposerAddress: Uint8Array
}

export interface ProposalBlock {
  readonly block: Block
  readonly parts: PartSet
  readonly blockId: BlockId
}

export interface BlockCheck {
  /** The local clock, in nanoseconds since 1970. */
  readonly now?: Time
  /** True if the signatures of the last commit were verified before this call, as in block sync. */
  readonly lastCommitIsVerified?: boolean
  /**
   * Set this member only if validators with more than two thirds of the power have voted for the block, because honest
   * validators have then verified its evidence. If this member is set, the check accepts evidence that is too old. The
   * check also waits for a header that the evidence needs: after a state sync, the node may still be fetching this
   * header. The wait ends when `signal` aborts.
   */
  readonly agreed?: { readonly signal: AbortSignal }
}

export interface BlockExecutor {
  /**
   * Makes a block to propose. Rejects if the application fails, or if it returns more transactions than a block may
   * contain, in number or in bytes.
   */
  readonly createProposalBlock: (request: ProposalRequest) => Promise<ProposalBlock>
  /** Resolves with true if the application accepts the block. */
  readonly processProposal: (block: Block, state: State) => Promise<boolean>
  /**
   * Validates a block. Rejects with an `ExecutionError` or a commit error if the block cannot follow the state. With
   * `now`, the block's time is also compared with the local clock. `now` may be set only for this node's own prevote,
   * and never for a block that +2/3 voted for.
   */
  readonly validateBlock: (state: State, block: Block, check?: BlockCheck) => Promise<void>
  /** Resolves with the application's extension of a precommit for `block`. */
  readonly extendVote: (vote: Vote, block: Block, state: State) => Promise<Uint8Array>
  readonly verifyVoteExtension: (vote: Vote) => Promise<boolean>
  /**
   * Validates, executes and commits a block. Resolves with the state after the block when the application has committed
   * the block. `durable` waits for the remaining steps of the commit.
   */
  readonly applyBlock: (given: BlockToCommit) => Promise<State>
  /**
   * Executes and commits a block as `applyBlock` does, but does not validate the block, because the caller has
   * validated it.
   */
  readonly applyVerifiedBlock: (given: BlockToCommit) => Promise<State>
  /**
   * Resolves when everything of all applied blocks is durable and published. Rejects if a step of their commits failed.
   */
  readonly durable: () => Promise<void>
}

function unknownStatus(method: string): ExecutionError {
  return new ExecutionError(EXECUTION_ERRORS.unknownStatus, `${method} responded with status UNKNOWN`, {
    data: { method },
  })
}

function tooManyTxs(count: number, limit: number): ExecutionError {
  const message =
    `the application's PrepareProposal gave ${count} transactions; a proposed block may have at most ${limit}, and other nodes would ` +
    'not vote for it. Change the application so that it returns fewer'
  return new ExecutionError(EXECUTION_ERRORS.tooManyTxs, message, { data: { count, limit } })
}

/** The calls in which the application judges a block or a vote, or extends a vote. */
function createAppChecks(
  app: ExecutorModules['app'],
): Pick<BlockExecutor, 'processProposal' | 'extendVote' | 'verifyVoteExtension'> {
  async function processProposal(block: Block, state: State): Promise<boolean> {
    const lastCommit = lastCommitInfo(block, state.lastValidators, state.initialHeight)
    const { status } = await app.processProposal(processProposalRequest(block, lastCommit))
    if (status === ProposalStatus.unknown) throw unknownStatus('ProcessProposal')
    return status === ProposalStatus.accept
  }

  async function extendVote(vote: Vote, block: Block, state: State): Promise<Uint8Array> {
    const { header } = block
    const hash = hashBlock(block)
    if (!equalBytes(hash, vote.blockId.hash) || vote.height !== header.height) {
      throw new ExecutionError(
        EXECUTION_ERRORS.voteMismatch,
        `the vote is for block ${bytesToHex(vote.blockId.hash)} of height ${vote.height}, but the block to extend is ${bytesToHex(hash)} of height ${header.height}`,
      )
    }
    const { voteExtension } = await app.extendVote({
      hash,
      height: vote.height,
      time: header.time,
      txs: block.data.txs,
      proposedLastCommit: lastCommitInfo(block, state.lastValidators, state.initialHeight),
      misbehavior: evidenceListToMisbehavior(block.evidence.evidence),
      nextValidatorsHash: header.nextValidatorsHash,
      proposerAddress: header.proposerAddress,
    })
    return voteExtension
  }

  async function verifyVoteExtension(vote: Vote): Promise<boolean> {
    const { status } = await app.verifyVoteExtension({
      hash: vote.blockId.hash,
      validatorAddress: vote.validatorAddress,
      height: vote.height,
      voteExtension: vote.extension,
    })
    if (status === VerifyStatus.unknown) throw unknownStatus('VerifyVoteExtension')
    return status === VerifyStatus.accept
  }

  return { processProposal, extendVote, verifyVoteExtension }
}

export function createBlockExecutor(options: ExecutorOptions, modules: ExecutorModules): BlockExecutor {
  const { app, mempool, evidencePool } = modules
  const isAppInProcess = options.isAppInProcess === true
  const metrics = createExecutionMetrics(modules.metrics)
  const sequence = createCommitSequence({ isAppInProcess }, { ...modules, metrics })
  const verifyLastCommit = createCommitVerifier({
    verifiedVotes: modules.verifiedVotes,
    signatures: modules.signatures,
  })
  // The state after which each block was found valid. Blocks and states do not change, so a second check is not needed.
  const valid = new WeakMap<Block, State>()

  async function validate(state: State, block: Block, check: BlockCheck = {}): Promise<void> {
    const { now, lastCommitIsVerified = false } = check
    if (now === undefined && valid.get(block) === state) return
    await validateBlock(state, block, {
      ...(lastCommitIsVerified ? {} : { verifyLastCommit }),
      ...(now === undefined ? {} : { before: { now, tolerance: options.blockTimeTolerance } }),
    })
    const { evidence } = block.evidence
    const isAgreed = check.agreed !== undefined
    if (check.agreed !== undefined)
      for (const item of evidence) await modules.whenHeaderStored?.(evidenceHeight(item), check.agreed.signal)
    await evidencePool.checkEvidence(evidence, { isAgreed })
    if (!lastCommitIsVerified) valid.set(block, state)
  }

  async function createProposalBlock(request: ProposalRequest): Promise<ProposalBlock> {
    const { height, state, lastExtendedCommit, proposerAddress } = request
    const { maxBytes, maxGas } = state.consensusParams.block
    const { evidence, size } = evidencePool.pendingEvidence(state.consensusParams.evidence.maxBytes)
    const dataBytes = maxDataBytes(blockBudget(state), size)
    const lastCommit = extendedCommitToCommit(lastExtendedCommit)
    const maxTxs = maxProposedTxs({ signatures: lastCommit.signatures.length, evidenceBytes: Number(size) })
    const reaped = await mempool.reapMaxBytesMaxGas(maxBytes === -1n ? -1 : Number(dataBytes), maxGas)
    const offered = reaped.slice(0, maxTxs)
    const { txs } = await app.prepareProposal({
      maxTxBytes: dataBytes,
      txs: offered,
      localLastCommit: extendedCommitInfo(lastExtendedCommit, state),
      misbehavior: evidenceListToMisbehavior(evidence),
      height,
      time: nextBlockTime(state, height, lastCommit),
      nextValidatorsHash: hashValidators(state.nextValidators),
      proposerAddress,
    })
    validateTxsSize(txs, dataBytes)
    if (txs.length > maxTxs) throw tooManyTxs(txs.length, maxTxs)
    const block = makeNextBlock(state, { height, txs, lastCommit, evidence, proposerAddress })
    return { block, ...makeBlockParts(block) }
  }

  return {
    createProposalBlock,
    validateBlock: validate,
    ...createAppChecks(app),
    applyBlock: async (given) => {
      await validate(given.state, given.block)
      return sequence.commit(given)
    },
    applyVerifiedBlock: sequence.commit,
    durable: sequence.durable,
  }
}
