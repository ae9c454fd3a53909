import { MAX_BLOCK_SIZE_BYTES } from '@org/types/block'
import { DEFAULT_POOL_OPTIONS, type PoolOptions } from './pool/index.ts'

export const BLOCKSYNC_CHANNEL = 0x40

/** The longest message in bytes: a block and the message around it. The figure is the reference's. */
export const MAX_MESSAGE_SIZE: number = MAX_BLOCK_SIZE_BYTES + 5

/**
 * The longest message from a peer without a pending request. Requests, refusals and messages about heights are
 * shorter.
 */
export const MAX_SHORT_MESSAGE = 1024

/** The time after the end of block sync in which peers with a pending request may still answer, in milliseconds. */
export const LATE_ANSWERS_MS = 60_000

/**
 * The maximum number of messages to one peer that wait to be sent. Blocks are loaded only when there is room; the
 * reference queues 1,000 messages.
 */
export const SEND_QUEUE_CAPACITY = 8

export interface BlockSyncOptions {
  readonly pool: PoolOptions
  /** The interval at which the heights of peers are requested, in milliseconds; near the end it is `nearStatusMs`. */
  readonly statusMs: number
  readonly nearStatusMs: number
  /** The time before the first check whether this node has caught up: peers need time to send their heights. */
  readonly firstCheckMs: number
  /** The maximum number of requests of one peer that wait for an answer; further requests are dropped. */
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
