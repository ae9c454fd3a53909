import {
  type Block,
  MAX_BLOCK_SIZE_BYTES,
  validateBlockBasic,
  validateCommitBasic,
  validateHeaderBasic,
} from '@org/types/block'
import type { State } from '@org/types/state'

/** Up to here all hashes of a block are checked when it comes, in one turn of the event loop: about 50 ms. */
const MAX_HASHED_ITEMS = 10_000

/**
 * Throws a coded error unless the block is well formed. The contents of a large block are hashed only after +2/3 are known to have
 * signed for them (`executor.validateBlock`): a peer cannot make this node hash millions of transactions.
 */
export function checkBlock(block: Block, items: number): void {
  if (items <= MAX_HASHED_ITEMS) {
    validateBlockBasic(block)
    return
  }
  validateHeaderBasic(block.header)
  if (block.lastCommit === undefined) throw new Error('nil LastCommit')
  validateCommitBasic(block.lastCommit)
}

/** The longest block that may follow this state, in bytes. */
export function maxBlockSize({ consensusParams: { block } }: State): number {
  return block.maxBytes === -1n ? MAX_BLOCK_SIZE_BYTES : Number(block.maxBytes)
}

export function longBlock(state: State, size: number): Error {
  return new Error(`a block of ${size} bytes; the consensus parameters allow ${maxBlockSize(state)}`)
}
