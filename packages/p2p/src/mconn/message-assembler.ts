import type { PacketMsg } from '@org/types/p2p'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { type ChannelDescriptor, DEFAULT_RECEIVE_MESSAGE_CAPACITY } from './options.ts'

/** Makes whole messages from the packets of one channel. */
export interface MessageAssembler {
  /**
   * Adds a packet. If the packet is the last packet of its message, returns the whole message; otherwise `undefined`.
   * Throws `MCONN_MESSAGE_SIZE`.
   */
  readonly join: (packet: PacketMsg) => Uint8Array | undefined
  /** Returns the bytes of memory of the unfinished message. */
  readonly heldBytes: () => number
  /**
   * Returns a number by which unfinished messages are compared when the memory for all of them is used up. It is the
   * product of the bytes of memory that the unfinished message holds, and its age in milliseconds plus one. The age is
   * the sum of the times that were passed to the function `age`.
   */
  readonly weight: () => number
  /**
   * Adds `ms` milliseconds to the age of the unfinished message. The caller counts only time in which the peer could
   * send. Throws `MCONN_MESSAGE_TIME` if the message is too slow: it may take {@link BASE_MESSAGE_TIME_MS}, and in
   * addition the time that its bytes need at `bytesPerSecond`.
   */
  readonly age: (ms: number, bytesPerSecond: number) => void
}

/**
 * The milliseconds that every message may take. After this time, the received bytes of an unfinished message must have
 * arrived at a minimum rate.
 */
export const BASE_MESSAGE_TIME_MS = 60_000

/**
 * The buffers of a message with several packets: the size of the first buffer, and the maximum size of a buffer, in
 * bytes.
 */
const FIRST_BUFFER = 4096
const MAX_BUFFER = 64 * 1024

export function createMessageAssembler({ id, receiveMessageCapacity }: ChannelDescriptor): MessageAssembler {
  const capacity = receiveMessageCapacity ?? DEFAULT_RECEIVE_MESSAGE_CAPACITY
  const capacityNow = typeof capacity === 'number' ? () => capacity : capacity
  // Bytes are kept in buffers of at least 4 KiB (the last buffer before the limit may be smaller), not in a list of
  // packets. Otherwise a peer that sends tiny packets could make the node keep millions. Only the last is not full.
  let buffers: Uint8Array[] = []
  let heldBytes = 0
  let size = 0
  /**
   * The largest value that the channel's capacity had since the message began. If the capacity becomes smaller, the
   * message may still have this size, because this node may have requested it while the capacity was larger.
   */
  let limit = 0
  let ageMs = 0

  function reset(): void {
    buffers = []
    heldBytes = 0
    size = 0
    limit = 0
    ageMs = 0
  }

  function checkSize(newSize: number): void {
    if (newSize <= limit) return
    limit = Math.max(limit, capacityNow())
    if (newSize <= limit) return
    const text = `a message on channel ${id} exceeds ${limit} bytes`
    throw new MconnError(MCONN_ERRORS.messageSize, text, { data: { channel: id, receivedSize: newSize, max: limit } })
  }

  /**
   * Adds bytes to the free end of the last buffer. If it has too little room, the remaining bytes go into a new buffer.
   */
  function append(data: Uint8Array): void {
    const free = heldBytes - size
    const last = buffers.at(-1)
    last?.set(data.length <= free ? data : data.subarray(0, free), last.length - free)
    size += data.length
    if (data.length <= free) return
    const remaining = data.subarray(free)
    const usual = Math.min(Math.max(heldBytes, FIRST_BUFFER), MAX_BUFFER)
    const buffer = new Uint8Array(Math.max(remaining.length, Math.min(limit - heldBytes, usual)))
    buffer.set(remaining)
    buffers.push(buffer)
    heldBytes += buffer.length
  }

  /** Returns the bytes of all buffers. The bytes of a single buffer are not copied. */
  function whole(): Uint8Array {
    const [first] = buffers
    if (first !== undefined && buffers.length === 1) return first.subarray(0, size)
    const message = new Uint8Array(size)
    let at = 0
    for (const buffer of buffers) {
      message.set(at + buffer.length <= size ? buffer : buffer.subarray(0, size - at), at)
      at += buffer.length
    }
    return message
  }

  return {
    join: ({ data, eof }) => {
      const newSize = size + data.length
      checkSize(newSize)
      if (eof && size === 0) {
        reset()
        return data
      }
      append(data)
      if (!eof) return undefined
      const message = whole()
      reset()
      return message
    },
    heldBytes: () => heldBytes,
    weight: () => heldBytes * (ageMs + 1),
    age: (ms, bytesPerSecond) => {
      if (size === 0) return
      ageMs += ms
      if (ageMs <= BASE_MESSAGE_TIME_MS + (size / bytesPerSecond) * 1000) return
      const text = `a message on channel ${id} is not complete after ${Math.round(ageMs / 1000)} s: ${size} bytes were received`
      throw new MconnError(MCONN_ERRORS.messageTime, text, { data: { channel: id, receivedSize: size, ageMs } })
    },
  }
}
