import type { State } from '@org/types'
import { extensionsEnabled } from '../consensus/machine/index.ts'

export interface SwitchFacts {
  readonly state: State
  readonly blocksSynced: number
  /** True if the extended commit of the state's last block was stored before block sync began. */
  readonly hadExtendedCommit: boolean
}

/**
 * Returns true if consensus can begin after the state's last block. If the precommits for this block have extensions,
 * the proposer of the next block needs their extended commit. The node has the extended commit if the block came from
 * block sync, because peers send such a block with its extended commit.
 */
export function hasWhatConsensusNeeds({ state, blocksSynced, hadExtendedCommit }: SwitchFacts): boolean {
  const { lastBlockHeight } = state
  if (lastBlockHeight === 0 || !extensionsEnabled(state, lastBlockHeight)) return true
  return blocksSynced > 0 || hadExtendedCommit
}
