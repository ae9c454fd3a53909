import { MAX_BLOCK_SIZE_BYTES } from '@org/types'
import { DEFAULT_POOL_OPTIONS, type PoolOptions } from './pool/index.ts'

/** The id of the channel of block sync. */
export const BLOCKSYNC_CHANNEL = 0x40

/** The maximum number of bytes of a message: a block and the message around it. The figure is the reference's. */
export const MAX_MESSAGE_SIZE: number = MAX_BLOCK_SIZE_BYTES + 5

/**
 * The maximum number of bytes of a message from a peer from which this node has requested no block. All messages
 * without a block are shorter than this.
 */
export const MAX_SHORT_MESSAGE = 1024

/**
 * The time after the end of block sync in which peers may still answer requests, in milliseconds. Some requests have no
 * answer yet when block sync ends.
 */
export const LATE_ANSWERS_MS = 60_000

/**
 * The maximum number of messages to one peer that wait to be sent. If a peer has requested several blocks, the node
 * loads a block from the disk only after the previous one has entered this queue. The reference queues 1,000 messages.
 */
export const SEND_QUEUE_CAPACITY = 8

/** The intervals and the limits of block sync. */
export interface BlockSyncOptions {
  readonly pool: PoolOptions
  /**
   * The interval at which the node asks its peers for their heights, in milliseconds: `nearStatusMs` if only a few
   * blocks are missing, otherwise `statusMs`.
   */
  readonly statusMs: number
  readonly nearStatusMs: number
  /**
   * The time before the node first checks whether it has caught up, in milliseconds. Peers need this time to send their
   * heights.
   */
  readonly firstCheckMs: number
  /** The maximum number of requests of one peer that wait for this node's answer; further requests are dropped. */
  readonly maxQueuedRequests: number
  /**
   * The maximum number of items (see `DecodeLimits`) in a block that a peer sends. The node chooses this number so that
   * the decoded block fits into the heap of the process.
   */
  readonly maxItems: number
}

/** The default options of block sync. */
export const DEFAULT_BLOCKSYNC_OPTIONS: BlockSyncOptions = {
  pool: DEFAULT_POOL_OPTIONS,
  statusMs: 10_000,
  nearStatusMs: 1000,
  firstCheckMs: 1000,
  maxQueuedRequests: 1000,
  maxItems: 500_000,
}
