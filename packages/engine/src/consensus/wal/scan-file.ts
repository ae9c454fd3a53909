import { TimedWalMessage } from '@org/types/messages'
import { afterBadFrame, findFrame, readFrame } from './frame.ts'
import { createRangeChecksums } from './range-checksums.ts'

/** A range of a file that contains no readable frame, and is followed by readable frames. */
export interface Damage {
  readonly offset: number
  readonly reason: string
  /** The offset of the next readable frame. */
  readonly resume: number
  /**
   * True if a disk block in this range was never written, although a later block was written. A block that was never
   * written contains only zeros.
   */
  readonly isLostBlock: boolean
}

/** The result of reading a file of the log. */
export interface Scan {
  readonly frames: readonly { readonly offset: number; readonly data: Uint8Array }[]
  readonly damages: readonly Damage[]
  /** The incomplete message at the end of the file; `undefined` if the file ends with a complete message. */
  readonly torn: { readonly offset: number; readonly reason: string } | undefined
  /** The last end-height mark of the file: its height, the index of its frame, and its offset. */
  readonly mark: { readonly height: number; readonly frame: number; readonly offset: number } | undefined
}

/**
 * Reads a file of the log. In a damaged file, the scan tries to read a frame at each offset, so the tried frames
 * overlap. `checksums` reads each byte only once for all of these frames.
 */
export function scanFile(bytes: Uint8Array, checksums = createRangeChecksums(bytes)): Scan {
  const frames: { offset: number; data: Uint8Array }[] = []
  const damages: Damage[] = []
  let mark: Scan['mark']
  for (let offset = 0; ; ) {
    const read = readFrame(bytes, offset, checksums)
    if (read.kind === 'end') return { frames, damages, torn: undefined, mark }
    if (read.kind === 'bad') {
      const { reason } = read
      const resume = findFrame(bytes, afterBadFrame(bytes, offset), checksums)
      if (resume === undefined) return { frames, damages, torn: { offset, reason }, mark }
      damages.push({ offset, reason, resume, isLostBlock: hasLostBlock(bytes, offset, resume) })
      offset = resume
      continue
    }
    const height = endHeightOf(read.data)
    if (height !== undefined) mark = { height, frame: frames.length, offset }
    frames.push({ offset, data: read.data })
    offset = read.next
  }
}

/** The size in bytes of a disk sector: a disk writes a sector completely or not at all. */
const SECTOR = 512

/**
 * Returns true if a whole sector between the first bad frame and the next readable frame is zero. The bad frame may
 * begin inside a sector. In this sector, only the bytes from the beginning of the frame to the end of the sector must
 * be zero.
 */
function hasLostBlock(bytes: Uint8Array, offset: number, resume: number): boolean {
  for (let start = offset; start < resume; ) {
    const end = (Math.floor(start / SECTOR) + 1) * SECTOR
    if (end <= bytes.length && bytes.subarray(start, end).every((byte) => byte === 0)) return true
    start = end
  }
  return false
}

const TAG_TIME = 0x0a
const TAG_MSG = 0x12
const TAG_END_HEIGHT = 0x22

/**
 * Returns the height of an end-height mark; `undefined` for any other message. The length and the first tags rule out
 * most other messages without decoding, because decoding all messages of a file of 10 MB takes long.
 */
function endHeightOf(data: Uint8Array): number | undefined {
  if (data[0] !== TAG_TIME || data.length > 64) return undefined
  const at = 2 + (data[1] as number)
  if (data[at] !== TAG_MSG || data[at + 2] !== TAG_END_HEIGHT) return undefined
  const sum = TimedWalMessage.decode(data).msg?.sum
  return sum?.case === 'endHeight' ? sum.value.height : undefined
}
