import type { ResponseFinalizeBlock } from '@org/types/abci'
import type { Block } from '@org/types/block'
import type { BlockStore, StateStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

export interface ReindexModules {
  readonly blockStore: Pick<BlockStore, 'base' | 'height' | 'loadBlock'>
  readonly stateStore: Pick<StateStore, 'loadFinalizeBlockResponse'>
  readonly indexer: { readonly index: (block: Block, response: ResponseFinalizeBlock) => Promise<void> }
}

export interface HeightRange {
  readonly from: number
  /** Inclusive. */
  readonly to: number
}

const refuse = (message: string): NodeError => new NodeError(NODE_ERRORS.reindex, message)

/** The blocks that a wish stands for: 0 is the first, or the last, that is stored. */
export function reindexRange(wished: HeightRange, { base, height }: Pick<BlockStore, 'base' | 'height'>): HeightRange {
  const from = wished.from === 0 ? base() : wished.from
  const to = wished.to === 0 ? height() : Math.min(wished.to, height())
  const unavailable = 'height is not available'
  if (from < base()) throw refuse(`${unavailable} (requested start height: ${from}, base height: ${base()})`)
  if (from > height()) throw refuse(`${unavailable} (requested start height: ${from}, store height: ${height()})`)
  if (to < base()) throw refuse(`${unavailable} (requested end height: ${to}, base height: ${base()})`)
  if (to < from) {
    throw refuse(`invalid request (requested the end height: ${to} is less than the start height: ${from})`)
  }
  return { from, to }
}

/** Indexes stored blocks again, from what the application answered to them. `onBlock` is told of each one done. */
export async function reindexBlocks(
  { from, to }: HeightRange,
  { blockStore, stateStore, indexer }: ReindexModules,
  onBlock: (height: number) => void,
): Promise<void> {
  for (let height = from; height <= to; height++) {
    const block = blockStore.loadBlock(height)
    if (block === undefined) throw refuse(`not able to load block at height ${height} from the blockstore`)
    await indexer.index(block, stateStore.loadFinalizeBlockResponse(height))
    onBlock(height)
  }
}
