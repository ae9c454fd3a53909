import { concatBytes } from '@org/types/bytes'
import { readUvarint } from '@org/types/schema'
import { ABCI_ERRORS, AbciError } from '../errors.ts'

export interface FrameParser {
  /**
   * Hands every whole frame (without its length) to `onFrame`, in order. Frames are views of `chunk`, or of a joined copy
   * when they came in pieces. Throws `ABCI_FRAME_TOO_LARGE` or `ABCI_BAD_FRAME`; the parser is of no use afterwards.
   */
  readonly push: (chunk: Uint8Array, onFrame: (frame: Uint8Array) => void) => void
  /** Bytes that wait for the rest of their frame. */
  readonly buffered: () => number
}

const NOTHING = new Uint8Array(0)
/** No length has more bytes. */
const MAX_PREFIX = 10

/**
 * Splits a byte stream into length-prefixed frames. What a frame announces is not allocated in advance: memory grows with the
 * bytes that came.
 */
export function createFrameParser(maxFrameBytes: number): FrameParser {
  // The length prefix, when it is cut by the end of a chunk.
  let prefix: Uint8Array = NOTHING
  // The frame that is still coming in: its length, or -1 between frames.
  let wanted = -1
  let parts: Uint8Array[] = []
  let have = 0

  function checkLength(length: number): void {
    if (length <= maxFrameBytes) return
    throw new AbciError(ABCI_ERRORS.frameTooLarge, `a frame of ${length} bytes, at most ${maxFrameBytes}`, {
      data: { size: length, limit: maxFrameBytes },
    })
  }

  /** The length that begins at `at`, of which earlier chunks may hold the first bytes. The rest of a cut one is kept. */
  function readLength(chunk: Uint8Array, at: number): { readonly length: number; readonly next: number } | undefined {
    const had = prefix.length
    const bytes = had === 0 ? chunk : concatBytes(prefix, chunk.subarray(at, at + MAX_PREFIX))
    const found = readUvarint(bytes, had === 0 ? at : 0)
    if (found === 'overlong') throw new AbciError(ABCI_ERRORS.badFrame, 'the length of a frame overflows 64 bits')
    prefix = found === undefined ? concatBytes(prefix, chunk.subarray(at)) : NOTHING
    if (found === undefined) return undefined
    checkLength(found.value)
    return { length: found.value, next: at + found.size - had }
  }

  return {
    buffered: () => have + prefix.length,
    push: (chunk, onFrame) => {
      let at = 0
      if (wanted >= 0) {
        const taken = Math.min(wanted - have, chunk.length)
        parts.push(chunk.subarray(0, taken))
        have += taken
        if (have < wanted) return
        at = taken
        const frame = join(parts, wanted)
        wanted = -1
        parts = []
        have = 0
        onFrame(frame)
      }
      while (at < chunk.length) {
        const found = readLength(chunk, at)
        if (found === undefined) return
        const { length } = found
        at = found.next
        if (length > chunk.length - at) {
          wanted = length
          have = chunk.length - at
          parts = have === 0 ? [] : [chunk.subarray(at)]
          return
        }
        onFrame(chunk.subarray(at, at + length))
        at += length
      }
    },
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const frame = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    frame.set(part, at)
    at += part.length
  }
  return frame
}
