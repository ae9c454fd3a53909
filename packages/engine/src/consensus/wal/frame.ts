import { readUvarint } from '@org/types/schema'
import { crc32c } from './crc32c.ts'
import { WAL_ERRORS, WalError } from './errors.ts'
import { createRangeChecksums, type RangeChecksums } from './range-checksums.ts'

/**
 * The longest record in bytes. As in the reference, this is 2^20 bytes for a consensus message, and 24 bytes for the
 * time of the record.
 */
export const MAX_FRAME_DATA = 1_048_576 + 24
/**
 * The maximum number of bytes that a record adds to a peer's encoded message, with room to spare. A record adds at most
 * 73 bytes: 19 for the time, 42 for the peer's id, and 12 for the nesting. The peer's message is in a `MsgInfo`, the
 * `MsgInfo` is in a `WalMessage`, and the `WalMessage` is in the record. Each of these three levels needs a tag and a
 * length, together 4 bytes.
 */
const MAX_RECORD_OVERHEAD = 256
/**
 * The maximum size in bytes of a peer's encoded message. A record of the WAL with such a message and any peer id fits
 * into a frame.
 */
export const MAX_LOGGED_MESSAGE = MAX_FRAME_DATA - MAX_RECORD_OVERHEAD
const HEADER = 8

const ownBuffer = (length: number): Uint8Array => new Uint8Array(length)

/**
 * Returns a frame: CRC-32C of the data (4 bytes, big-endian), length of the data (4 bytes, big-endian), data.
 * `bufferOf` returns the buffer for the frame.
 */
export function encodeFrame(data: Uint8Array, bufferOf = ownBuffer): Uint8Array {
  if (data.length > MAX_FRAME_DATA) {
    throw new WalError(WAL_ERRORS.tooBig, `msg is too big: ${data.length} bytes, max: ${MAX_FRAME_DATA} bytes`, {
      data: { size: data.length, limit: MAX_FRAME_DATA },
    })
  }
  const frame = bufferOf(HEADER + data.length)
  putUint32(frame, 0, crc32c(data))
  putUint32(frame, 4, data.length)
  frame.set(data, HEADER)
  return frame
}

function putUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}

export type FrameRead =
  | { readonly kind: 'frame'; readonly offset: number; readonly next: number; readonly data: Uint8Array }
  | { readonly kind: 'bad'; readonly offset: number; readonly reason: string }
  | { readonly kind: 'end'; readonly offset: number }

/** Reads the frame at `offset`. */
export function readFrame(bytes: Uint8Array, offset: number, checksums?: RangeChecksums): FrameRead {
  const remainingBytes = bytes.length - offset
  if (remainingBytes === 0) return { kind: 'end', offset }
  if (remainingBytes < HEADER)
    return { kind: 'bad', offset, reason: `the header of a frame ends after ${remainingBytes} of ${HEADER} bytes` }
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, HEADER)
  const length = view.getUint32(4)
  if (length > MAX_FRAME_DATA) {
    return { kind: 'bad', offset, reason: `length ${length} exceeds the maximum of ${MAX_FRAME_DATA} bytes` }
  }
  // An empty frame is bad, because an encoded message is never empty. After a power failure, some file systems leave
  // zeros at the end of a file, and these zeros look like empty frames.
  if (length === 0) return { kind: 'bad', offset, reason: 'the frame is empty' }
  if (remainingBytes < HEADER + length) {
    return {
      kind: 'bad',
      offset,
      reason: `the data of a frame ends after ${remainingBytes - HEADER} of ${length} bytes`,
    }
  }
  const data = bytes.subarray(offset + HEADER, offset + HEADER + length)
  const crc = checksums?.(offset + HEADER, offset + HEADER + length) ?? crc32c(data)
  if (crc !== view.getUint32(0)) {
    return { kind: 'bad', offset, reason: `checksums do not match: read ${view.getUint32(0)}, actual ${crc}` }
  }
  return { kind: 'frame', offset, next: offset + HEADER + length, data }
}

const TAG_TIME = 0x0a
const TAG_MESSAGE = 0x12
/** The maximum length of a record's time, in bytes. */
const MAX_TIME = 17

/** Calculates the length of a record from the lengths of its fields; `undefined` if these lengths are not readable. */
function recordLength(bytes: Uint8Array, offset: number): number | undefined {
  const time = bytes[offset + 1] ?? 0
  const at = offset + 2 + time
  if (bytes[offset] !== TAG_TIME || time > MAX_TIME || bytes[at] !== TAG_MESSAGE) return undefined
  const length = readUvarint(bytes, at + 1)
  return length === undefined || length === 'overlong' ? undefined : at + 1 + length.size + length.value - offset
}

/**
 * Returns the first offset at which a readable frame can follow the bad frame at `offset`. A record contains bytes of
 * peers and clients, such as transactions, and these bytes can look like frames. If the length in the bad frame's
 * header equals the length that the function `recordLength` calculates, this header is undamaged, and the next frame
 * begins after the record. If the two lengths differ, the next frame can begin at any later byte.
 */
export function afterBadFrame(bytes: Uint8Array, offset: number): number {
  if (bytes.length - offset < HEADER) return offset + 1
  const length = new DataView(bytes.buffer, bytes.byteOffset + offset, HEADER).getUint32(4)
  return recordLength(bytes, offset + HEADER) === length ? offset + HEADER + length : offset + 1
}

/** The offset of the first complete frame at or after `from`; `undefined` if there is none. */
export function findFrame(
  bytes: Uint8Array,
  from: number,
  checksums: RangeChecksums = createRangeChecksums(bytes),
): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let offset = from; offset + HEADER + 2 <= bytes.length; offset++) {
    // A quick test before the checksum. The first field of every record is its time. This field has the number 1, and
    // its length is at most 17 bytes.
    if (bytes[offset + HEADER] !== TAG_TIME || (bytes[offset + HEADER + 1] as number) > MAX_TIME) continue
    const length = view.getUint32(offset + 4)
    const end = offset + HEADER + length
    if (length === 0 || length > MAX_FRAME_DATA || end > bytes.length) continue
    if (checksums(offset + HEADER, end) === view.getUint32(offset)) return offset
  }
  return undefined
}
