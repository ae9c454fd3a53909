import { getHeapStatistics } from 'node:v8'
import { MAX_PROPOSED_ITEMS } from '@org/types/block'

/**
 * The heap that an item of a block takes until the block is committed and indexed, in bytes: measured 750 without the index. It is
 * more than that, so that the rest of the node has room too.
 */
const HEAP_OF_ITEM = 2048

/** The most items of a block that +2/3 voted for, by the limit of this process's heap (`HALLEY_HEAP_MB`). */
export function maxAgreedItems(): number {
  return Math.max(MAX_PROPOSED_ITEMS, Math.floor(getHeapStatistics().heap_size_limit / HEAP_OF_ITEM))
}
