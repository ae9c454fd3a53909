import type { PacketMsg } from '@org/types/p2p'
import { MCONN_ERRORS, MconnError } from './errors.ts'
import { type ChannelDescriptor, DEFAULT_RECEIVE_MESSAGE_CAPACITY } from './options.ts'

/** Joins the packets of one channel to messages. */
export interface Joiner {
  /** Returns the whole message if `packet` is its last one. Throws `MCONN_MESSAGE_SIZE`. */
  readonly join: (packet: PacketMsg) => Uint8Array | undefined
  /** Bytes of memory of the unfinished message. */
  readonly held: () => number
  /**
   * The bytes of the unfinished message times the milliseconds for which it has held them: in steps, and at least 1.
   */
  readonly weight: () => number
  /**
   * Adds `ms` in which the peer could have sent. Throws `MCONN_MESSAGE_TIME` if the unfinished message is too slow:
   * after {@link PATIENCE_MS} it must have arrived with `bytesPerSecond` on average.
   */
  readonly age: (ms: number, bytesPerSecond: number) => void
}

/** The time for which an unfinished message may be arbitrarily slow. */
export const PATIENCE_MS = 60_000

/** The first size of the buffer for a message of several packets. */
const FIRST_BUFFER = 4096
const NOTHING = new Uint8Array(0)

export function createJoiner({ id, receiveMessageCapacity }: ChannelDescriptor): Joiner {
  const capacity = receiveMessageCapacity ?? DEFAULT_RECEIVE_MESSAGE_CAPACITY
  const capacityNow = typeof capacity === 'number' ? () => capacity : capacity
  // One buffer that grows, not a list of packets: a peer that sends empty or tiny packets must not create a list of
  // millions.
  let buffer = NOTHING
  let size = 0
  /** The largest capacity of the channel since the message began: a requested answer may be finished. */
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
      const text = `a message on channel ${id} is not complete after ${Math.round(ageMs / 1000)} s: ${size} bytes were received`
      throw new MconnError(MCONN_ERRORS.messageTime, text, { data: { channel: id, receivedSize: size, ageMs } })
    },
  }
}
