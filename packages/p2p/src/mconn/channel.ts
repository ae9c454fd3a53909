import type { PacketMsg } from '@org/types/p2p'
import { createMessageAssembler, type MessageAssembler } from './message-assembler.ts'
import type { ChannelDescriptor } from './options.ts'

/**
 * One channel of a connection. It has a send queue, whose messages are cut into packets, and a joiner, which makes
 * messages from the peer's packets.
 */
export interface Channel extends MessageAssembler {
  readonly descriptor: ChannelDescriptor
  /** Puts a message into the send queue. Returns false if the queue is full. */
  readonly offer: (message: Uint8Array) => boolean
  readonly canSend: () => boolean
  readonly hasPackets: () => boolean
  /**
   * Returns the load: the number of recently sent bytes divided by the priority. Among the channels that have packets,
   * the channel with the lowest load sends next.
   */
  readonly load: () => number
  readonly nextPacket: () => PacketMsg
  /** Returns the number of bytes in the send queue that were not sent yet. */
  readonly waitingBytes: () => number
  /** Multiplies the count of recently sent bytes by {@link FADE}, so that older bytes count less. */
  readonly fade: () => void
  readonly status: () => {
    readonly sendQueueCapacity: number
    readonly sendQueueSize: number
    readonly recentlySent: number
  }
}

/** The factor by which the count of recently sent bytes is multiplied every two seconds, as in the reference. */
const FADE = 0.8

export function createChannel(descriptor: ChannelDescriptor, maxPayload: number): Channel {
  const sendQueueCapacity = descriptor.sendQueueCapacity ?? 1
  const queue: Uint8Array[] = []
  let sending: Uint8Array | undefined
  let recentlySent = 0

  return {
    ...createMessageAssembler(descriptor),
    descriptor,
    offer: (message) => {
      if (queue.length >= sendQueueCapacity) return false
      queue.push(message)
      return true
    },
    canSend: () => queue.length < sendQueueCapacity,
    hasPackets: () => sending !== undefined || queue.length > 0,
    load: () => recentlySent / descriptor.priority,
    nextPacket: () => {
      const message = sending ?? queue.shift() ?? new Uint8Array(0)
      const eof = message.length <= maxPayload
      sending = eof ? undefined : message.subarray(maxPayload)
      const data = eof ? message : message.subarray(0, maxPayload)
      recentlySent += data.length
      return { channelId: descriptor.id, eof, data }
    },
    waitingBytes: () => queue.reduce((sum, message) => sum + message.length, sending?.length ?? 0),
    fade: () => {
      recentlySent *= FADE
    },
    status: () => ({
      sendQueueCapacity,
      sendQueueSize: queue.length + (sending === undefined ? 0 : 1),
      recentlySent: Math.round(recentlySent),
    }),
  }
}
