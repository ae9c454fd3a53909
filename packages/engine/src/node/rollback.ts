import type { State } from '@org/types/state'
import { BLOCK_PROTOCOL, SOFTWARE_VERSION } from '@org/types/version'
import type { BlockStore, StateStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

export interface RollbackModules {
  readonly blockStore: Pick<BlockStore, 'height' | 'loadBlockMeta' | 'deleteLatestBlock'>
  readonly stateStore: Pick<StateStore, 'load' | 'save' | 'loadValidators' | 'loadConsensusParams'>
}

export interface RollbackOptions {
  /** Also remove the block, so that it is not executed again. */
  readonly removeBlock: boolean
}

const cannot = (message: string): NodeError => new NodeError(NODE_ERRORS.rollback, message)

/** The state before the last block, put together from what the stores keep of it. */
function stateBefore(state: State, { blockStore, stateStore }: RollbackModules): State {
  const height = state.lastBlockHeight - 1
  const metaAt = (at: number) => {
    const meta = blockStore.loadBlockMeta(at)
    if (meta === undefined) throw cannot(`block at height ${at} not found`)
    return meta
  }
  const before = metaAt(height)
  // A block's hash and results are agreed upon in the next one's header.
  const latest = metaAt(state.lastBlockHeight)
  const consensusParams = stateStore.loadConsensusParams(height + 1)
  return {
    ...state,
    version: { consensus: { block: BLOCK_PROTOCOL, app: consensusParams.version.app }, software: SOFTWARE_VERSION },
    lastBlockHeight: before.header.height,
    lastBlockId: before.blockId,
    lastBlockTime: before.header.time,
    nextValidators: state.validators,
    validators: state.lastValidators,
    lastValidators: stateStore.loadValidators(height),
    lastHeightValidatorsChanged: Math.min(state.lastHeightValidatorsChanged, height + 2),
    consensusParams,
    lastHeightConsensusParamsChanged: Math.min(state.lastHeightConsensusParamsChanged, height + 1),
    lastResultsHash: latest.header.lastResultsHash,
    appHash: latest.header.appHash,
  }
}

/** Takes the state one block back; the application's own state is not touched. Resolves with the state that is then stored. */
export async function rollbackState({ removeBlock }: RollbackOptions, modules: RollbackModules): Promise<State> {
  const { blockStore, stateStore } = modules
  const state = stateStore.load()
  if (state === undefined) throw cannot('no state found')
  const height = blockStore.height()
  // The block was saved, the state after it was not: only the block is to go.
  if (height === state.lastBlockHeight + 1) {
    if (removeBlock) await blockStore.deleteLatestBlock()
    return state
  }
  if (height !== state.lastBlockHeight) {
    throw cannot(
      `statestore height (${state.lastBlockHeight}) is not one below or equal to blockstore height (${height})`,
    )
  }
  const before = stateBefore(state, modules)
  await stateStore.save(before)
  if (removeBlock) await blockStore.deleteLatestBlock()
  return before
}
