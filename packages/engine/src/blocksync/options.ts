import { MAX_BLOCK_SIZE_BYTES } from '@org/types/block'
import { DEFAULT_POOL_OPTIONS, type PoolOptions } from './pool/index.ts'

export const BLOCKSYNC_CHANNEL = 0x40

/** A block and the wrapping around it; the reference's figure. */
export const MAX_MESSAGE_SIZE: number = MAX_BLOCK_SIZE_BYTES + 5

/** The longest message from a peer that was not asked for a block: requests, refusals and words about heights are shorter. */
export const MAX_SHORT_MESSAGE = 1024

/** For so long after the end of block sync, the peers that owe answers then may still send them, in milliseconds. */
export const LATE_ANSWERS_MS = 60_000

/** Messages to one peer that may wait to be sent. Blocks are loaded only when there is room; the reference queues 1,000. */
export const SEND_QUEUE_CAPACITY = 8

export interface BlockSyncOptions {
  readonly pool: PoolOptions
  /** Every so often peers are asked how far they are, in milliseconds; near the end `nearStatusMs`. */
  readonly statusMs: number
  readonly nearStatusMs: number
  /** The first look whether this node has caught up comes after this: peers need time to tell. */
  readonly settleMs: number
  /** Requests of one peer that wait to be answered; the others are dropped. */
  readonly maxQueuedRequests: number
  /** The most items (see `DecodeLimits`) of a block from a peer: what the heap of this process bears. */
  readonly maxItems: number
}

export const DEFAULT_BLOCKSYNC_OPTIONS: BlockSyncOptions = {
  pool: DEFAULT_POOL_OPTIONS,
  statusMs: 10_000,
  nearStatusMs: 1000,
  settleMs: 1000,
  maxQueuedRequests: 1000,
  maxItems: 500_000,
}
