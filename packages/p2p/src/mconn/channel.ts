import type { PacketMsg } from '@org/types/p2p'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { type ChannelDescriptor, DEFAULT_RECEIVE_MESSAGE_CAPACITY } from './options.ts'

/** The two queues of one channel: messages cut into packets on the way out, packets joined to messages on the way in. */
export interface Channel {
  readonly descriptor: ChannelDescriptor
  /** False when the queue is full. */
  readonly offer: (message: Uint8Array) => boolean
  readonly canSend: () => boolean
  readonly hasPackets: () => boolean
  /** Bytes sent lately over priority: the channel with the least goes next. */
  readonly load: () => number
  readonly nextPacket: () => PacketMsg
  /** The whole message when `packet` is its last. Throws `MCONN_MESSAGE_SIZE`. */
  readonly join: (packet: PacketMsg) => Uint8Array | undefined
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

/** Room for the packets of a message that has more than one, at first. */
const FIRST_BUFFER = 4096
const NOTHING = new Uint8Array(0)

export function createChannel(descriptor: ChannelDescriptor, maxPayload: number): Channel {
  const sendQueueCapacity = descriptor.sendQueueCapacity ?? 1
  const receiveCapacity = descriptor.receiveMessageCapacity ?? DEFAULT_RECEIVE_MESSAGE_CAPACITY
  const queue: Uint8Array[] = []
  let sending: Uint8Array | undefined
  // One buffer that grows, not a list of packets: a peer that sends empty or tiny packets gets no list of millions.
  let received = NOTHING
  let receivedSize = 0
  let recentlySent = 0

  return {
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
    join: ({ data, eof }) => {
      const size = receivedSize + data.length
      if (size > receiveCapacity) {
        const text = `a message on channel ${descriptor.id} exceeds ${receiveCapacity} bytes`
        throw new MconnError(MCONN_ERRORS.messageSize, text, {
          data: { channel: descriptor.id, receivedSize: size },
        })
      }
      if (eof && receivedSize === 0) return data
      if (size > received.length) {
        const grown = new Uint8Array(Math.min(receiveCapacity, Math.max(size, 2 * received.length, FIRST_BUFFER)))
        grown.set(received.subarray(0, receivedSize))
        received = grown
      }
      received.set(data, receivedSize)
      receivedSize = size
      if (!eof) return undefined
      const message = received.subarray(0, size)
      received = NOTHING
      receivedSize = 0
      return message
    },
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
