/** One kind of traffic over a connection. */
export interface ChannelDescriptor {
  /** 0…255 */
  readonly id: number
  /** The channel's share of the bandwidth, relative to the other channels; at least 1. */
  readonly priority: number
  /** The maximum number of messages in the send queue. Default 1. */
  readonly sendQueueCapacity?: number
  /**
   * The longest message that the channel accepts at present, in bytes. Default 21 MiB, as in the reference. A
   * function is called while a message arrives, and its largest result counts for that message.
   */
  readonly receiveMessageCapacity?: number | (() => number)
}

export interface MconnOptions {
  readonly channels: readonly ChannelDescriptor[]
  /** Bytes per second in each direction; 0 is no limit, as in the reference. */
  readonly sendRate: number
  readonly receiveRate: number
  /** Bytes of a message in one packet. */
  readonly maxPacketPayloadSize: number
  readonly pingIntervalMs: number
  readonly pongTimeoutMs: number
  /** The maximum time that `send` waits for room in a channel's queue. */
  readonly sendTimeoutMs: number
}

export const DEFAULT_RECEIVE_MESSAGE_CAPACITY = 22_020_096

/** The reference's defaults; its configuration file sets both rates to 5,120,000. */
export const DEFAULT_MCONN_OPTIONS: Omit<MconnOptions, 'channels'> = {
  sendRate: 5_120_000,
  receiveRate: 5_120_000,
  maxPacketPayloadSize: 1024,
  pingIntervalMs: 60_000,
  pongTimeoutMs: 45_000,
  sendTimeoutMs: 10_000,
}

/** A packet's bytes besides its payload: the oneof's tag and length, channel, end mark, payload's tag and length. */
export const PACKET_OVERHEAD = 14
