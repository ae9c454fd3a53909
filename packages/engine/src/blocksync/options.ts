import { MAX_BLOCK_SIZE_BYTES } from '@org/types/block'
import { DEFAULT_POOL_OPTIONS, type PoolOptions } from './pool/index.ts'

export const BLOCKSYNC_CHANNEL = 0x40

/** A block and the message around it; the reference's figure. */
export const MAX_MESSAGE_SIZE: number = MAX_BLOCK_SIZE_BYTES + 5

/**
 * The longest message from a peer without a pending request. Requests, refusals and messages about heights are
 * shorter.
 */
export const MAX_SHORT_MESSAGE = 1024

/** The time after the end of block sync in which peers with a pending request may still answer, in milliseconds. */
export const LATE_ANSWERS_MS = 60_000

/**
 * Messages to one peer that may wait to be sent. Blocks are loaded only when there is room; the reference queues
 * 1,000.
 */
export const SEND_QUEUE_CAPACITY = 8

export interface BlockSyncOptions {
  readonly pool: PoolOptions
  /** The interval at which the heights of peers are requested, in milliseconds; near the end it is `nearStatusMs`. */
  readonly statusMs: number
  readonly nearStatusMs: number
  /** The time before the first check whether this node has caught up: peers need time to send their heights. */
  readonly firstCheckMs: number
  /** Requests of one peer that may wait for an answer; further ones are dropped. */
  readonly maxQueuedRequests: number
  /**
   * The maximum number of items (see `DecodeLimits`) of a block from a peer, as many as the heap of this process can
   * hold.
   */
  readonly maxItems: number
}

export const DEFAULT_BLOCKSYNC_OPTIONS: BlockSyncOptions = {
  pool: DEFAULT_POOL_OPTIONS,
  statusMs: 10_000,
  nearStatusMs: 1000,
  firstCheckMs: 1000,
  maxQueuedRequests: 1000,
  maxItems: 500_000,
}
