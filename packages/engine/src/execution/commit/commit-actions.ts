import type { Clock, Logger } from '@org/runtime'
import type { Block, BlockId, State, Validator } from '@org/types'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { lastCommitInfo } from '../commit-info.ts'
import { EXECUTION_ERRORS, ExecutionError, stepOrder } from '../errors.ts'
import type { ExecutionMetrics } from '../metrics.ts'
import type {
  CommitApp,
  ExecutionBlockStore,
  ExecutionEvents,
  ExecutionEvidence,
  ExecutionIndexer,
  ExecutionMempool,
  ExecutionStateStore,
} from '../ports.ts'
import { pruneTo } from '../prune.ts'
import { publishBlock } from '../publish.ts'
import { finalizeBlockRequest } from '../requests.ts'
import { txPostCheck, txPreCheck } from '../tx-filter.ts'
import { updateState } from '../update-state.ts'
import { validatorsFromUpdates } from '../validator-updates.ts'
import type { StepActions } from './run-steps.ts'
import type { CommitStep } from './steps.ts'

/**
 * The parts of the node that a commit uses: the application, the stores, and the parts that are informed about the
 * block.
 */
export interface CommitModules {
  readonly app: CommitApp
  readonly stateStore: ExecutionStateStore
  readonly blockStore: ExecutionBlockStore
  /** The mempool. Absent during the replay of the last block at a start, because the mempool is empty then. */
  readonly mempool?: ExecutionMempool | undefined
  readonly evidencePool?: Pick<ExecutionEvidence, 'update'> | undefined
  readonly indexer?: ExecutionIndexer | undefined
  readonly events?: ExecutionEvents | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: ExecutionMetrics
}

/** The steps that consensus or block sync performs for its block. An absent step is done already, or is not needed. */
type StoringSteps = Pick<StepActions<CommitStep>, 'sync-signed' | 'save-block' | 'mark-height'>

/** A decided block, the state before it, and the options of its commit. */
export interface BlockToCommit {
  readonly state: State
  readonly blockId: BlockId
  readonly block: Block
  readonly steps?: StoringSteps | undefined
  /**
   * Decides when the events of this block are published: calls `publish` at once, or after the events of the earlier
   * heights. Default: a function that calls `publish` at once.
   */
  readonly show?: ((publish: () => void) => void) | undefined
}

/**
 * The results that one step of a block's commit leaves for later steps. Each comment names the step that sets the
 * members below the comment.
 */
interface Progress {
  /** Set by the step `finalize`. */
  response?: ResponseFinalizeBlock
  /** Set by the step `commit-app`. `pending` is the state after the block, without the application's hash. */
  validatorUpdates?: readonly Validator[]
  pending?: State
  retainHeight?: number
  unlockMempool?: (() => void) | undefined
  /** The state after the block, with the application's hash. Set by the step `update-evidence`. */
  state?: State
}

export interface CommitActions {
  readonly actions: StepActions<CommitStep>
  /** Returns the state after the block. Throws if the step `update-evidence` is not done yet. */
  readonly state: () => State
}

/** Returns the action of each step of the commit of this block. `COMMIT_STEPS` defines the order of the steps. */
export function commitActions(given: BlockToCommit, modules: CommitModules): CommitActions {
  const { block, blockId, steps = {}, show = (publish) => publish() } = given
  const { height } = block.header
  const { stateStore, mempool, evidencePool, indexer, events, logger } = modules
  const progress: Progress = {}

  async function commitApp(): Promise<void> {
    const response = got(progress.response)
    const validatorUpdates = readUpdates(given.state, response, modules)
    const pending = updateState(given.state, { blockId, header: block.header, response, validatorUpdates })
    const unlock = await mempool?.lock()
    try {
      // Waits for all pending CheckTx answers before the application changes its state.
      await mempool?.flushAppConn()
      const { retainHeight } = await modules.app.commit()
      logger.info('committed state', { height, block_app_hash: bytesToHex(block.header.appHash) })
      Object.assign(progress, { validatorUpdates, pending, retainHeight, unlockMempool: unlock })
    } catch (error) {
      unlock?.()
      throw error
    }
  }

  async function updateMempool(): Promise<void> {
    const pending = got(progress.pending)
    try {
      await mempool?.update({
        height,
        txs: block.data.txs,
        txResults: got(progress.response).txResults,
        preCheck: txPreCheck(pending),
        postCheck: txPostCheck(pending),
      })
    } finally {
      progress.unlockMempool?.()
    }
  }

  async function updateEvidence(): Promise<void> {
    const pending = got(progress.pending)
    await evidencePool?.update(pending, block.evidence.evidence)
    progress.state = { ...pending, appHash: got(progress.response).appHash }
  }

  async function prune(): Promise<void> {
    const retainHeight = progress.retainHeight ?? 0
    if (retainHeight > 0) await pruneTo(retainHeight, got(progress.state), modules)
  }

  function publish(): void {
    if (events === undefined) return
    const [response, validatorUpdates] = [got(progress.response), got(progress.validatorUpdates)]
    show(() => publishBlock({ block, blockId, response, validatorUpdates }, { events, logger }))
  }

  return {
    actions: {
      ...steps,
      finalize: async () => {
        progress.response = await finalize(given, modules)
      },
      'save-responses': () => stateStore.saveFinalizeBlockResponse(height, got(progress.response)),
      'commit-app': commitApp,
      'update-mempool': updateMempool,
      'update-evidence': updateEvidence,
      index: () => indexer?.index(block, got(progress.response)),
      'save-state': () => stateStore.save(got(progress.state)),
      publish,
      prune,
    },
    state: () => got(progress.state),
  }
}

/** Returns a result that an earlier step of the block has set. */
function got<T>(value: T | undefined): T {
  if (value === undefined) throw stepOrder('a step of the commit began before the step that it waits for')
  return value
}

async function finalize(
  { state, block }: BlockToCommit,
  { app, clock, logger, metrics }: CommitModules,
): Promise<ResponseFinalizeBlock> {
  const { height } = block.header
  const started = clock.monotonic()
  const info = lastCommitInfo(block, state.lastValidators, state.initialHeight)
  const response = await app.finalizeBlock(finalizeBlockRequest(block, info))
  metrics.blockProcessingTime.observe(clock.monotonic() - started)
  checkResultCount(block, response)
  logger.info('finalized block', {
    height,
    num_txs_res: response.txResults.length,
    num_val_updates: response.validatorUpdates.length,
    block_app_hash: bytesToHex(response.appHash),
  })
  return response
}

/** Throws unless the application returned one result per transaction. */
export function checkResultCount(block: Block, response: ResponseFinalizeBlock): void {
  const [wanted, given] = [block.data.txs.length, response.txResults.length]
  if (wanted === given) return
  throw new ExecutionError(
    EXECUTION_ERRORS.resultCount,
    `expected tx results length to match size of transactions in block. Expected ${wanted}, got ${given}`,
    { data: { height: block.header.height, wanted, got: given } },
  )
}

/** Reads the application's updates, and reports them to the log and the metrics. */
function readUpdates(
  state: State,
  response: ResponseFinalizeBlock,
  { logger, metrics }: Pick<CommitModules, 'logger' | 'metrics'>,
): readonly Validator[] {
  const validatorUpdates = validatorsFromUpdates(response.validatorUpdates, state.consensusParams)
  if (validatorUpdates.length > 0) {
    const updates = validatorUpdates.map(({ address, votingPower }) => `${bytesToHex(address)}:${votingPower}`)
    logger.info('updates to validators', { updates: updates.join(',') })
    metrics.validatorSetUpdates.add(1)
  }
  if (response.consensusParamUpdates !== undefined) metrics.consensusParamUpdates.add(1)
  return validatorUpdates
}
