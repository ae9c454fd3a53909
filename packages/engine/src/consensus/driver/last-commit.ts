import type { State } from '@org/types'
import { extensionsEnabled, type InitialState, type StoredCommit } from '../machine/index.ts'
import type { ConsensusModules } from './ports.ts'

/**
 * Returns the stored precommits of the state's last block. If vote extensions are enabled, the precommits must have
 * their extensions. There is one exception: after a state sync, only precommits without extensions are stored. In this
 * case block sync fetches one more block before consensus begins (see `hasWhatConsensusNeeds`).
 */
export function loadLastCommit(state: State, blockStore: ConsensusModules['blockStore']): StoredCommit | undefined {
  const height = state.lastBlockHeight
  if (height === 0) return undefined
  if (extensionsEnabled(state, height)) {
    const commit = blockStore.loadExtendedCommit(height)
    if (commit !== undefined) return { kind: 'extended', commit }
    if (blockStore.height() !== 0) return undefined
  }
  const commit = blockStore.loadSeenCommit(height) ?? blockStore.loadBlockCommit(height)
  return commit === undefined ? undefined : { kind: 'plain', commit }
}

export function loadInitialState(state: State, { blockStore, privval, clock }: ConsensusModules): InitialState {
  return {
    chain: state,
    lastCommit: loadLastCommit(state, blockStore),
    lastHeaderAppHash: blockStore.loadBlockMeta(state.lastBlockHeight)?.header.appHash,
    publicKey: privval?.pubKey(),
    time: clock.now(),
  }
}
