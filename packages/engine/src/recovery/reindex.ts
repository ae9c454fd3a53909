import type { ResponseFinalizeBlock } from '@org/types/abci'
import type { ExecutionIndexer } from '../execution/ports.ts'
import type { BlockStore, StateStore } from '../store/index.ts'
import { RECOVERY_ERRORS, RecoveryError } from './errors.ts'

/** A range of heights; both ends belong to it. */
export interface HeightRange {
  readonly from: number
  /** The last height to index. */
  readonly to: number
}

/**
 * Returns the range of heights to index. If `startHeight` is 0, the range begins with the first stored block. If
 * `endHeight` is 0, it ends with the last stored block. Throws a `RecoveryError`.
 */
export function reindexRange(
  asked: { readonly startHeight: number; readonly endHeight: number },
  blockStore: Pick<BlockStore, 'base' | 'height'>,
): HeightRange {
  const [base, height] = [blockStore.base(), blockStore.height()]
  const from = asked.startHeight === 0 ? base : asked.startHeight
  const fail = (message: string): never => {
    throw new RecoveryError(RECOVERY_ERRORS.range, message, { data: { ...asked, base, height } })
  }
  const unavailable = 'height is not available'
  if (from < base) fail(`${unavailable} (requested start height: ${from}, base height: ${base})`)
  if (from > height) fail(`${unavailable} (requested start height: ${from}, store height: ${height})`)
  const to = asked.endHeight === 0 || asked.endHeight > height ? height : asked.endHeight
  if (to < base) fail(`${unavailable} (requested end height: ${to}, base height: ${base})`)
  if (to < from) {
    fail(`invalid request (requested the end height: ${to} is less than the start height: ${from})`)
  }
  return { from, to }
}

/** The stores that are read, and the index that is written. */
export interface ReindexModules {
  readonly blockStore: Pick<BlockStore, 'loadBlock'>
  readonly stateStore: Pick<StateStore, 'loadFinalizeBlockResponse'>
  readonly indexer: Pick<ExecutionIndexer, 'index'>
}

/** The heights to index again. */
export interface ReindexOptions extends HeightRange {
  /** Called after each block. */
  readonly onProgress?: (height: number) => void
  readonly signal?: AbortSignal
}

/**
 * Indexes stored blocks and their transactions again. It needs the application's responses, which may have been
 * discarded.
 */
export async function reindex(options: ReindexOptions, modules: ReindexModules): Promise<void> {
  const { blockStore, stateStore, indexer } = modules
  for (let height = options.from; height <= options.to; height++) {
    options.signal?.throwIfAborted()
    const block = blockStore.loadBlock(height)
    if (block === undefined) {
      throw new RecoveryError(
        RECOVERY_ERRORS.missingBlock,
        `not able to load block at height ${height} from the blockstore`,
        { data: { height } },
      )
    }
    await indexer.index(block, loadResponse(height, stateStore))
    options.onProgress?.(height)
  }
}

function loadResponse(height: number, stateStore: ReindexModules['stateStore']): ResponseFinalizeBlock {
  try {
    return stateStore.loadFinalizeBlockResponse(height)
  } catch (cause) {
    throw new RecoveryError(
      RECOVERY_ERRORS.missingResponses,
      `not able to load ABCI Response at height ${height} from the statestore`,
      { cause, data: { height } },
    )
  }
}
