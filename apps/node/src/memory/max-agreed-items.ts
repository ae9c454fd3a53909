import { getHeapStatistics } from 'node:v8'
import { MAX_PROPOSED_ITEMS } from '@org/types'

/**
 * An estimate of the heap that an item of a block takes until the block is committed and indexed, in bytes. A
 * measurement without the index gave 750 bytes. The estimate is higher than that, so that memory is left for the rest
 * of the node.
 */
const HEAP_OF_ITEM = 2048

/**
 * Returns the maximum number of items (transactions, signatures and nested messages) that this node accepts in a block
 * for which +2/3 of the power has voted. The number depends on the heap limit of this process (`HALLEY_HEAP_MB`).
 */
export function maxAgreedItems(): number {
  return Math.max(MAX_PROPOSED_ITEMS, Math.floor(getHeapStatistics().heap_size_limit / HEAP_OF_ITEM))
}
