/** The description of a channel of a connection. */
export interface ChannelDescriptor {
  /** The number of the channel, from 0 to 255. */
  readonly id: number
  /** The channel's share of the bandwidth, relative to the other channels; at least 1. */
  readonly priority: number
  /** The maximum number of messages in the send queue. Default 1. */
  readonly sendQueueCapacity?: number
  /**
   * The maximum number of bytes of a message that the channel accepts from the peer. Default: 21 MiB, as in the
   * reference. If the value is a function, it is called while a message arrives, and its largest result counts for that
   * message.
   */
  readonly receiveMessageCapacity?: number | (() => number)
}

/** The channels, the speed and the time limits of a connection. */
export interface MconnOptions {
  readonly channels: readonly ChannelDescriptor[]
  /** The maximum number of bytes per second in each direction; 0 means no limit, as in the reference. */
  readonly sendRate: number
  readonly receiveRate: number
  /** The maximum number of bytes of a message that one packet contains. */
  readonly maxPacketPayloadSize: number
  readonly pingIntervalMs: number
  readonly pongTimeoutMs: number
  /** The maximum time for which `send` waits for room in a channel's queue. */
  readonly sendTimeoutMs: number
}

export const DEFAULT_RECEIVE_MESSAGE_CAPACITY = 22_020_096

/** The reference's defaults. The two rates are those of the reference's configuration file. */
export const DEFAULT_MCONN_OPTIONS: Omit<MconnOptions, 'channels'> = {
  sendRate: 5_120_000,
  receiveRate: 5_120_000,
  maxPacketPayloadSize: 1024,
  pingIntervalMs: 60_000,
  pongTimeoutMs: 45_000,
  sendTimeoutMs: 10_000,
}

/**
 * The maximum number of bytes of a packet in addition to its payload. These bytes are the tag and length of the oneof,
 * the fields `channel_id` and `eof`, and the tag and length of the payload.
 */
export const PACKET_OVERHEAD = 14
