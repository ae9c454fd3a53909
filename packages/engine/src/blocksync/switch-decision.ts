import type { State } from '@org/types/state'
import { extensionsEnabled } from '../consensus/machine/index.ts'

export interface SwitchFacts {
  readonly state: State
  readonly blocksSynced: number
  /** Whether the extended commit of the state's last block was stored before block sync began. */
  readonly hadExtendedCommit: boolean
}

/**
 * Returns whether consensus can begin after the state's last block. If its precommits have extensions, a proposer needs
 * them. This node has them if the last block came from block sync, because such a block is sent with its extended
 * commit.
 */
export function hasWhatConsensusNeeds({ state, blocksSynced, hadExtendedCommit }: SwitchFacts): boolean {
  const { lastBlockHeight } = state
  if (lastBlockHeight === 0 || !extensionsEnabled(state, lastBlockHeight)) return true
  return blocksSynced > 0 || hadExtendedCommit
}
