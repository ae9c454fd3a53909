import type { Logger } from '@org/runtime'
import { messageOf } from '@org/runtime'
import type { State } from '@org/types'
import type { ExecutionBlockStore, ExecutionIndexer, ExecutionStateStore } from './ports.ts'

export interface PruneModules {
  readonly blockStore: ExecutionBlockStore
  readonly stateStore: Pick<ExecutionStateStore, 'pruneStates'>
  readonly indexer?: ExecutionIndexer | undefined
  readonly logger: Logger
}

/**
 * Removes blocks, states and, if the indexer supports it, index entries below `retainHeight`. A failure is only
 * logged.
 */
export async function pruneTo(retainHeight: number, state: State, modules: PruneModules): Promise<void> {
  const { blockStore, stateStore, indexer, logger } = modules
  const base = blockStore.base()
  if (retainHeight <= base) return
  try {
    const { pruned, evidenceRetainHeight } = await blockStore.pruneBlocks(retainHeight, state)
    await stateStore.pruneStates(base, retainHeight, evidenceRetainHeight)
    await indexer?.prune?.(retainHeight)
    logger.debug('pruned blocks', { pruned, retain_height: retainHeight })
  } catch (error) {
    logger.error('failed to prune blocks', { retain_height: retainHeight, err: messageOf(error) })
  }
}
