import { type Clock, isCodedError, type Logger, type Metrics } from '@org/runtime'
import type { GenesisDoc, State } from '@org/types'
import {
  type RequestInfo,
  type RequestInitChain,
  ResponseCommit,
  type ResponseFinalizeBlock,
  type ResponseInfo,
  type ResponseInitChain,
} from '@org/types/abci'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { type BlockStore, STORE_ERRORS, type StateStore } from '../../store/index.ts'
import { commitBlock } from '../commit/commit-sequence.ts'
import type { CommitStep } from '../commit/steps.ts'
import { createExecutionMetrics } from '../metrics.ts'
import type { CommitApp, ExecutionEvents, ExecutionEvidence, ExecutionIndexer } from '../ports.ts'
import { validateBlock } from '../validate-block.ts'
import { createCommitVerifier } from '../verify-commit.ts'
import { INFO_REQUEST } from '../version.ts'
import { appHashMismatch, HANDSHAKE_ERRORS, HandshakeError, missingBlock } from './errors.ts'
import { applyInitChain, initChainRequest } from './init-chain.ts'
import { checkHeights, type Heights, isBehind, recoveryOf } from './recovery.ts'
import { replayBlocks } from './replay-blocks.ts'

/** The state from which the handshake begins, and the function that receives its progress reports. */
export interface HandshakeOptions {
  readonly genesis: GenesisDoc
  /** The state in the state store, or the genesis state. */
  readonly state: State
  /**
   * Receives the progress of a replay: the height of the last replayed block, and the range of the replay. Called from
   * time to time during a long replay, and at its end.
   */
  readonly onProgress?: (progress: { readonly height: number; readonly from: number; readonly to: number }) => void
  readonly signal?: AbortSignal
}

/**
 * The parts of the node that the handshake uses: the application, the stores, and the parts that are informed about
 * replayed blocks.
 */
export interface HandshakeModules {
  readonly abci: {
    readonly query: { readonly info: (request: RequestInfo) => Promise<ResponseInfo> }
    readonly consensus: CommitApp & { readonly initChain: (request: RequestInitChain) => Promise<ResponseInitChain> }
  }
  readonly stateStore: StateStore
  readonly blockStore: BlockStore
  readonly indexer?: ExecutionIndexer
  readonly events?: ExecutionEvents
  /** Marks the evidence of a replayed last block as committed. */
  readonly evidencePool?: Pick<ExecutionEvidence, 'update'>
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly onStep?: (step: CommitStep) => void | Promise<void>
}

/**
 * Returns an application that gives the stored answers, because the real application has committed the block already.
 */
function replayApp(response: ResponseFinalizeBlock): CommitApp {
  return {
    finalizeBlock: () => Promise.resolve(response),
    commit: () => Promise.resolve(ResponseCommit.create()),
  }
}

/**
 * Brings application, state and block store to one height: sends InitChain to a new application, and replays the
 * blocks that the application or the state has not processed. Resolves with the state to continue from.
 */
export async function handshake(options: HandshakeOptions, modules: HandshakeModules): Promise<State> {
  const { abci, stateStore, blockStore, logger } = modules
  const info = await abci.query.info(INFO_REQUEST)
  const appHeight = info.lastBlockHeight
  if (appHeight < 0) {
    throw new HandshakeError(
      HANDSHAKE_ERRORS.negativeHeight,
      `got a negative last block height (${appHeight}) from the app`,
    )
  }
  logger.info('ABCI Handshake App Info', {
    height: appHeight,
    hash: bytesToHex(info.lastBlockAppHash),
    'software-version': info.version,
    'protocol-version': Number(info.appVersion),
  })
  let { state } = options
  let appHash = info.lastBlockAppHash
  if (state.lastBlockHeight === 0) {
    state = { ...state, version: { ...state.version, consensus: { ...state.version.consensus, app: info.appVersion } } }
  }
  const heights: Heights = {
    app: appHeight,
    store: blockStore.height(),
    state: state.lastBlockHeight,
    base: blockStore.base(),
  }
  logger.info('ABCI Replay Blocks', {
    appHeight,
    storeHeight: heights.store,
    stateHeight: heights.state,
  })
  if (appHeight === 0) {
    const response = await abci.consensus.initChain(initChainRequest(options.genesis))
    appHash = response.appHash
    if (heights.state === 0) {
      state = applyInitChain(state, options.genesis, response)
      await stateStore.save(state)
    }
  }
  const result = await replay(state, { heights, appHash, options }, modules)
  logger.info('Completed ABCI Handshake - CometBFT and App are synced', {
    appHeight,
    appHash: bytesToHex(result.appHash),
  })
  return result
}

interface Replay {
  readonly heights: Heights
  readonly appHash: Uint8Array
  readonly options: HandshakeOptions
}

async function replay(state: State, { heights, appHash, options }: Replay, modules: HandshakeModules): Promise<State> {
  const { abci, stateStore, logger } = modules
  const assertSynced = (hash: Uint8Array, at: State): State => {
    if (equalBytes(hash, at.appHash)) return at
    throw appHashMismatch(at.lastBlockHeight, { app: hash, chain: at.appHash })
  }
  if (heights.store === 0) {
    if (heights.app === 0 && heights.state === 0) return checkGenesisHash(appHash, state)
    return assertSynced(appHash, state)
  }
  const { initialHeight } = state
  checkHeights(heights, initialHeight)
  const isIndexed = modules.indexer?.hasBlock?.(heights.state) !== false
  const recovery = recoveryOf(heights, { initialHeight, isIndexed })
  if (recovery === 'replay-responses') {
    const saved = stateStore.loadLastFinalizeBlockResponse(heights.store)
    logger.info('Replay last block using mock app')
    // Responses that a CometBFT before v0.38 stored have no app hash. They get the hash that the application reported.
    const response = saved.appHash.length > 0 ? saved : { ...saved, appHash }
    if (!equalBytes(response.appHash, appHash)) {
      throw appHashMismatch(heights.store, { app: appHash, chain: response.appHash })
    }
    return applyLast(state, heights.store, { ...modules, app: replayApp(response) })
  }
  const to = isBehind(heights, initialHeight) ? heights.store - 1 : heights.store
  const last = await catchUpApp({ heights, appHash, options, to, initialHeight }, modules)
  if (recovery === 'replay-block') {
    if (heights.app > 0) assertSynced(last, state)
    logger.info('Replay last block using real app')
    return applyLast(state, heights.store, { ...modules, app: abci.consensus })
  }
  assertSynced(last, state)
  if (recovery === 'index-last-block') await indexLast(heights.state, modules)
  return state
}

interface AppCatchUp extends Replay {
  readonly to: number
  readonly initialHeight: number
}

/** Replays blocks up to `to` to an application that has not committed them. Returns the application's hash. */
async function catchUpApp(
  { heights, appHash, options, to, initialHeight }: AppCatchUp,
  modules: HandshakeModules,
): Promise<Uint8Array> {
  if (heights.app >= to) return appHash
  const from = heights.app === 0 ? initialHeight : heights.app + 1
  const { onProgress, signal } = options
  const range = {
    from,
    to,
    initialHeight: options.genesis.initialHeight,
    signal,
    onProgress: (height: number) => onProgress?.({ height, from, to }),
  }
  return (await replayBlocks(range, { ...modules, app: modules.abci.consensus })) ?? appHash
}

/** Throws if the application has a hash before the first block and this hash differs from the app hash in the state. */
function checkGenesisHash(appHash: Uint8Array, state: State): State {
  if (appHash.length === 0 || equalBytes(appHash, state.appHash)) return state
  throw appHashMismatch(0, { app: appHash, chain: state.appHash })
}

/**
 * Indexes the last block again. The index entries and the state of a block are written in parallel, and a crash may
 * come when only the state has been written. So the index entries of the last block may be missing.
 */
async function indexLast(
  height: number,
  {
    indexer,
    blockStore,
    stateStore,
    logger,
  }: Pick<HandshakeModules, 'indexer' | 'blockStore' | 'stateStore' | 'logger'>,
): Promise<void> {
  const block = blockStore.loadBlock(height)
  if (block === undefined || indexer === undefined) return
  try {
    await indexer.index(block, stateStore.loadLastFinalizeBlockResponse(height))
    logger.info('Indexed the last block', { height })
  } catch (error) {
    if (!isCodedError(error, STORE_ERRORS.notFound)) throw error
    // After a state sync the home has no responses, so there is nothing to index.
  }
}

async function applyLast(
  state: State,
  height: number,
  modules: Omit<HandshakeModules, 'abci'> & { readonly app: CommitApp },
): Promise<State> {
  const { blockStore } = modules
  const block = blockStore.loadBlock(height)
  const meta = blockStore.loadBlockMeta(height)
  if (block === undefined || meta === undefined) throw missingBlock(height)
  await validateBlock(state, block, { verifyLastCommit: createCommitVerifier({}) })
  const metrics = createExecutionMetrics(modules.metrics)
  return commitBlock({ state, blockId: meta.blockId, block }, { ...modules, metrics })
}
