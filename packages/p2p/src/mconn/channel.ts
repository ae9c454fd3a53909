import type { PacketMsg } from '@org/types/p2p'
import { createJoiner, type Joiner } from './joiner.ts'
import type { ChannelDescriptor } from './options.ts'

/** The two queues of one channel: messages cut into packets on the way out, packets joined to messages on the way in. */
export interface Channel extends Joiner {
  readonly descriptor: ChannelDescriptor
  /** False when the queue is full. */
  readonly offer: (message: Uint8Array) => boolean
  readonly canSend: () => boolean
  readonly hasPackets: () => boolean
  /** Bytes sent lately over priority: the channel with the least goes next. */
  readonly load: () => number
  readonly nextPacket: () => PacketMsg
  /** Bytes of the messages that wait to be sent. */
  readonly waitingBytes: () => number
  /** Lets what was sent lately fade. */
  readonly fade: () => void
  readonly status: () => {
    readonly sendQueueCapacity: number
    readonly sendQueueSize: number
    readonly recentlySent: number
  }
}

/** As the reference: every two seconds a fifth of what was sent is forgotten. */
const FADE = 0.8

export function createChannel(descriptor: ChannelDescriptor, maxPayload: number): Channel {
  const sendQueueCapacity = descriptor.sendQueueCapacity ?? 1
  const queue: Uint8Array[] = []
  let sending: Uint8Array | undefined
  let recentlySent = 0

  return {
    ...createJoiner(descriptor),
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
