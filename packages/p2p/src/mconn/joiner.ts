import type { PacketMsg } from '@org/types/p2p'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { type ChannelDescriptor, DEFAULT_RECEIVE_MESSAGE_CAPACITY } from './options.ts'

/** Joins the packets of one channel to messages. */
export interface Joiner {
  /** The whole message when `packet` is its last. Throws `MCONN_MESSAGE_SIZE`. */
  readonly join: (packet: PacketMsg) => Uint8Array | undefined
  /** Bytes of memory that the unfinished message takes. */
  readonly held: () => number
  /** The bytes that the unfinished message holds, times the milliseconds that it has held them: in steps, and at least one. */
  readonly weight: () => number
  /**
   * The peer could have sent for `ms` more. Throws `MCONN_MESSAGE_TIME` if the unfinished message should be whole by now: after
   * {@link PATIENCE_MS}, it must have come with `bytesPerSecond` on average.
   */
  readonly age: (ms: number, bytesPerSecond: number) => void
}

/** How long an unfinished message is waited for, however slowly it comes. */
export const PATIENCE_MS = 60_000

/** Room for the packets of a message that has more than one, at first. */
const FIRST_BUFFER = 4096
const NOTHING = new Uint8Array(0)

export function createJoiner({ id, receiveMessageCapacity }: ChannelDescriptor): Joiner {
  const capacity = receiveMessageCapacity ?? DEFAULT_RECEIVE_MESSAGE_CAPACITY
  const capacityNow = typeof capacity === 'number' ? () => capacity : capacity
  // One buffer that grows, not a list of packets: a peer that sends empty or tiny packets gets no list of millions.
  let buffer = NOTHING
  let size = 0
  /** The largest capacity that the channel had while the message came: an answer that was asked for may be finished. */
  let limit = 0
  let ageMs = 0

  function reset(): void {
    buffer = NOTHING
    size = 0
    limit = 0
    ageMs = 0
  }

  function checkSize(wanted: number): void {
    if (wanted <= limit) return
    limit = Math.max(limit, capacityNow())
    if (wanted <= limit) return
    const text = `a message on channel ${id} exceeds ${limit} bytes`
    throw new MconnError(MCONN_ERRORS.messageSize, text, { data: { channel: id, receivedSize: wanted, max: limit } })
  }

  return {
    join: ({ data, eof }) => {
      const wanted = size + data.length
      checkSize(wanted)
      if (eof && size === 0) {
        reset()
        return data
      }
      if (wanted > buffer.length) {
        const grown = new Uint8Array(Math.min(limit, Math.max(wanted, 2 * buffer.length, FIRST_BUFFER)))
        grown.set(buffer.subarray(0, size))
        buffer = grown
      }
      buffer.set(data, size)
      size = wanted
      if (!eof) return undefined
      const message = buffer.subarray(0, size)
      reset()
      return message
    },
    held: () => buffer.length,
    weight: () => buffer.length * (ageMs + 1),
    age: (ms, bytesPerSecond) => {
      if (size === 0) return
      ageMs += ms
      if (ageMs <= PATIENCE_MS + (size / bytesPerSecond) * 1000) return
      const text = `a message on channel ${id} is not whole after ${Math.round(ageMs / 1000)} s: ${size} bytes came`
      throw new MconnError(MCONN_ERRORS.messageTime, text, { data: { channel: id, receivedSize: size, ageMs } })
    },
  }
}
