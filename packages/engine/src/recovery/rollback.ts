import { type BlockMeta, commitVote, SOFTWARE_VERSION, type State } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { addressOf } from '@org/types/crypto'
import type { PrivValidator } from '../privval/index.ts'
import type { BlockStore, StateStore } from '../store/index.ts'
import { RECOVERY_ERRORS, RecoveryError } from './errors.ts'

/** The stores and the signer whose data a rollback of one block changes. */
export interface RollbackModules {
  readonly blockStore: Pick<BlockStore, 'height' | 'loadBlockMeta' | 'loadSeenCommit' | 'deleteLatestBlock'>
  readonly stateStore: Pick<StateStore, 'load' | 'save' | 'loadValidators' | 'loadConsensusParams'>
  /** The home's validator, if it has one. */
  readonly signer?: Pick<PrivValidator, 'pubKey' | 'recall' | 'makeDurable'> | undefined
}

/** The height and the app hash of the state after a rollback. */
export interface RolledBack {
  readonly height: number
  readonly appHash: Uint8Array
}

/**
 * Replaces the stored state by the state before the last block. The operator must roll back the application separately.
 * With `hard` the last block is removed, and another block may be decided for its height. Without `hard` the same block
 * is executed again. Rejects with a `RecoveryError`.
 */
export async function rollback(options: { readonly hard: boolean }, modules: RollbackModules): Promise<RolledBack> {
  const { blockStore, stateStore } = modules
  const state = stateStore.load()
  if (state === undefined) throw new RecoveryError(RECOVERY_ERRORS.noState, 'no state found')
  const storeHeight = blockStore.height()
  if (storeHeight === state.lastBlockHeight + 1) {
    // The last block was never executed. The stored state is the state before this block, so the state is not changed.
    if (options.hard) await removeBlock(state.chainId, modules)
    return { height: state.lastBlockHeight, appHash: state.appHash }
  }
  if (storeHeight !== state.lastBlockHeight) {
    throw new RecoveryError(
      RECOVERY_ERRORS.heights,
      `statestore height (${state.lastBlockHeight}) is not one below or equal to blockstore height (${storeHeight})`,
      { data: { stateHeight: state.lastBlockHeight, storeHeight } },
    )
  }
  const previous = previousState(state, modules)
  await stateStore.save(previous)
  if (options.hard) await removeBlock(state.chainId, modules)
  return { height: previous.lastBlockHeight, appHash: previous.appHash }
}

/**
 * Removes the last block. The commit of this block may contain a precommit by this node that is missing in the sign
 * state, because a crash removed it. So the signer first adds this precommit to the sign state. Otherwise the signer
 * could sign a different block of the same height.
 */
async function removeBlock(chainId: string, { blockStore, signer }: RollbackModules): Promise<void> {
  const commit = blockStore.loadSeenCommit(blockStore.height())
  if (commit !== undefined && signer !== undefined) {
    const ownAddress = addressOf(signer.pubKey())
    const index = commit.signatures.findIndex(({ validatorAddress }) => equalBytes(validatorAddress, ownAddress))
    const vote = index < 0 ? undefined : commitVote(commit, index)
    if (vote !== undefined && signer.recall?.(chainId, { kind: 'vote', vote }) === true) await signer.makeDurable?.()
  }
  await blockStore.deleteLatestBlock()
}

function previousState(state: State, { blockStore, stateStore }: RollbackModules): State {
  const height = state.lastBlockHeight - 1
  const meta = (at: number): BlockMeta => {
    const found = blockStore.loadBlockMeta(at)
    if (found !== undefined) return found
    throw new RecoveryError(RECOVERY_ERRORS.missingBlock, `block at height ${at} not found`, { data: { height: at } })
  }
  const before = meta(height)
  // The app hash and the results hash of a height are in the header of the next block.
  const latest = meta(state.lastBlockHeight)
  const lastValidators = stateStore.loadValidators(height)
  const consensusParams = stateStore.loadConsensusParams(height + 1)
  return {
    // The versions of the block protocol and of the application come from the header of the next block. The reference
    // takes the application's version from the consensus parameters, but these do not contain the version that the
    // application reported in Info.
    version: { consensus: latest.header.version, software: SOFTWARE_VERSION },
    chainId: state.chainId,
    initialHeight: state.initialHeight,
    lastBlockHeight: height,
    lastBlockId: before.blockId,
    lastBlockTime: before.header.time,
    nextValidators: state.validators,
    validators: state.lastValidators,
    lastValidators,
    lastHeightValidatorsChanged: Math.min(state.lastHeightValidatorsChanged, height + 2),
    consensusParams,
    lastHeightConsensusParamsChanged: Math.min(state.lastHeightConsensusParamsChanged, height + 1),
    lastResultsHash: latest.header.lastResultsHash,
    appHash: latest.header.appHash,
  }
}
