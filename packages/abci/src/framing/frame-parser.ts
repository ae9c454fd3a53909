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

/** An uvarint of 64 bits has at most this many bytes. */
const MAX_PREFIX = 10

/**
 * Splits a byte stream into length-prefixed frames. What a frame announces is not allocated in advance: memory grows with the
 * bytes that came.
 */
export function createFrameParser(maxFrameBytes: number): FrameParser {
  // The length prefix, when it is cut by the end of a chunk.
  let prefix = 0
  let prefixBytes = 0
  // The frame that is still coming in: its length, or -1 between frames.
  let wanted = -1
  let parts: Uint8Array[] = []
  let have = 0

  function finishPrefix(): number {
    if (prefix > maxFrameBytes) {
      throw new AbciError(ABCI_ERRORS.frameTooLarge, `a frame of ${prefix} bytes, at most ${maxFrameBytes}`, {
        data: { size: prefix, limit: maxFrameBytes },
      })
    }
    const length = prefix
    prefix = 0
    prefixBytes = 0
    return length
  }

  /** Takes one byte of the prefix; true if it was the last. */
  function takePrefixByte(byte: number): boolean {
    if (prefixBytes === MAX_PREFIX - 1 && byte > 1) {
      throw new AbciError(ABCI_ERRORS.badFrame, 'the length of a frame overflows 64 bits')
    }
    // Beyond 2^53 the sum is only roughly right, and far over any limit.
    prefix += (byte & 0x7f) * 2 ** (7 * prefixBytes)
    prefixBytes += 1
    return byte < 0x80
  }

  return {
    buffered: () => have + prefixBytes,
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
        const byte = chunk[at++] as number
        let length = byte
        if (prefixBytes > 0 || byte >= 0x80) {
          if (!takePrefixByte(byte)) continue
          length = finishPrefix()
        } else if (byte > maxFrameBytes) {
          prefix = byte
          finishPrefix()
        }
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
