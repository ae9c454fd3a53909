import type { Clock, Logger } from '@org/runtime'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import type { Block, BlockId } from '@org/types/block'
import { bytesToHex } from '@org/types/bytes'
import type { State } from '@org/types/state'
import { lastCommitInfo } from './commit-info.ts'
import { EXECUTION_ERRORS, ExecutionError } from './errors.ts'
import type { ExecutionMetrics } from './metrics.ts'
import type {
  CommitApp,
  CommitStep,
  ExecutionBlockStore,
  ExecutionEvents,
  ExecutionEvidence,
  ExecutionIndexer,
  ExecutionMempool,
  ExecutionStateStore,
} from './ports.ts'
import { pruneTo } from './prune.ts'
import { publishBlock } from './publish.ts'
import { finalizeBlockRequest } from './requests.ts'
import { txPostCheck, txPreCheck } from './tx-filter.ts'
import { updateState } from './update-state.ts'
import { validatorsFromUpdates } from './validator-updates.ts'

export interface ApplyBlockModules {
  readonly app: CommitApp
  readonly stateStore: ExecutionStateStore
  readonly blockStore: ExecutionBlockStore
  /** Absent during the replay of the last block: the mempool is empty then. */
  readonly mempool?: ExecutionMempool | undefined
  readonly evidencePool?: Pick<ExecutionEvidence, 'update'> | undefined
  readonly indexer?: ExecutionIndexer | undefined
  readonly events?: ExecutionEvents | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: ExecutionMetrics
  /** Called after each step that changed something on disk or in the application. */
  readonly onStep?: ((step: CommitStep) => void | Promise<void>) | undefined
}

export interface BlockToApply {
  readonly state: State
  readonly blockId: BlockId
  readonly block: Block
  /**
   * Resolves when the block and all that it depends on are durable. The application executes the block before that,
   * but commits it after. Absent: the block is durable already.
   */
  readonly stored?: Promise<void>
  /** Resolves when everything of the previous block is durable, if that was left for later. */
  readonly before?: Promise<void>
  /**
   * Receives the remaining work when the application has committed and the state is returned: `work` writes index and
   * state, and `publish` publishes the events, at once or when the work is done. Absent: everything is done before
   * the state is returned.
   */
  readonly later?: (work: Promise<void>, publish: () => void) => void
}

/** Resolves when all promises have resolved. Rejects with the first error, but only when no promise is pending. */
async function allDone<T extends readonly Promise<unknown>[]>(work: T): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

async function finalize({ state, block }: BlockToApply, modules: ApplyBlockModules): Promise<ResponseFinalizeBlock> {
  const { app, clock, logger, metrics } = modules
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
  const [wanted, got] = [block.data.txs.length, response.txResults.length]
  if (wanted === got) return
  throw new ExecutionError(
    EXECUTION_ERRORS.resultCount,
    `expected tx results length to match size of transactions in block. Expected ${wanted}, got ${got}`,
    { data: { height: block.header.height, wanted, got } },
  )
}

/** Commits the application with the mempool locked. Returns the height from which blocks are kept; 0 keeps all. */
async function commit(
  { state, block }: Pick<BlockToApply, 'state' | 'block'>,
  response: ResponseFinalizeBlock,
  { app, mempool, logger, onStep }: ApplyBlockModules,
): Promise<number> {
  const release = await mempool?.lock()
  try {
    // Waits for all pending CheckTx answers before the application changes its state.
    await mempool?.flushAppConn()
    const { retainHeight } = await app.commit()
    logger.info('committed state', { height: block.header.height, block_app_hash: bytesToHex(block.header.appHash) })
    await onStep?.('app-committed')
    await mempool?.update({
      height: block.header.height,
      txs: block.data.txs,
      txResults: response.txResults,
      preCheck: txPreCheck(state),
      postCheck: txPostCheck(state),
    })
    return retainHeight
  } finally {
    release?.()
  }
}

/** Executes the block and saves the response. After a crash that loses the block, nothing of this remains. */
async function execute(given: BlockToApply, modules: ApplyBlockModules): Promise<ResponseFinalizeBlock> {
  const { stateStore, onStep } = modules
  const response = await finalize(given, modules)
  await onStep?.('finalized')
  // If a crash loses the index of the previous block, it is made again from the last response.
  await given.before
  await stateStore.saveFinalizeBlockResponse(given.block.header.height, response)
  await onStep?.('responses-saved')
  return response
}

/**
 * Executes a valid block and returns the state after it. The order makes a crash between any two steps recoverable:
 * block and responses, application, evidence, index and state, pruning; events after the application's Commit. Steps
 * without an order between them run together: an index entry that a crash lost is made again from the responses at
 * the next start. The next block may be made while index and state are written, but neither the next block nor its
 * responses are written before.
 */
export async function executeBlock(given: BlockToApply, modules: ApplyBlockModules): Promise<State> {
  const { block, blockId } = given
  const { stateStore, evidencePool, indexer, events, logger, metrics, onStep } = modules
  const executed = execute(given, modules)
  await allDone([executed, given.stored ?? Promise.resolve()])
  const response = await executed

  const validatorUpdates = validatorsFromUpdates(response.validatorUpdates, given.state.consensusParams)
  if (validatorUpdates.length > 0) {
    const updates = validatorUpdates.map(({ address, votingPower }) => `${bytesToHex(address)}:${votingPower}`)
    logger.info('updates to validators', { updates: updates.join(',') })
    metrics.validatorSetUpdates.add(1)
  }
  if (response.consensusParamUpdates !== undefined) metrics.consensusParamUpdates.add(1)
  const pending = updateState(given.state, { blockId, header: block.header, response, validatorUpdates })

  const retainHeight = await commit({ state: pending, block }, response, modules)
  await onStep?.('mempool-updated')
  await evidencePool?.update(pending, block.evidence.evidence)
  await onStep?.('evidence-updated')
  const state: State = { ...pending, appHash: response.appHash }
  const settle = async (): Promise<void> => {
    await allDone([
      (indexer?.index(block, response) ?? Promise.resolve()).then(() => onStep?.('indexed')),
      stateStore.save(state).then(() => onStep?.('state-saved')),
    ])
    if (retainHeight > 0) await pruneTo(retainHeight, state, modules)
    await onStep?.('pruned')
  }
  const publish = (): void => {
    if (events !== undefined) publishBlock({ block, blockId, response, validatorUpdates }, { events, logger })
  }
  if (given.later !== undefined) given.later(settle(), publish)
  else {
    await settle()
    publish()
    await onStep?.('published')
  }
  return state
}
