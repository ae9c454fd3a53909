import type { Duplex } from 'node:stream'

/** Writes text messages to a WebSocket's connection; those of one turn of the event loop leave together. */
export interface FrameWriter {
  /** `onWritten` is called when the message was handed to the system, or cannot be any more. */
  readonly write: (message: string | Uint8Array, onWritten: () => void) => void
  /** As `write`, for what {@link frameOf} made. */
  readonly writeFrame: (frame: Uint8Array, onWritten: () => void) => void
}

/** The last frame of a text message. */
const TEXT = 0x81
const MAX_SHORT = 125
const MAX_MEDIUM = 0xffff

function headSize(length: number): number {
  if (length <= MAX_SHORT) return 2
  return length <= MAX_MEDIUM ? 4 : 10
}

/** A server's frames are not masked. */
function writeHead(target: Buffer, length: number): void {
  target[0] = TEXT
  if (length <= MAX_SHORT) target[1] = length
  else if (length <= MAX_MEDIUM) {
    target[1] = MAX_SHORT + 1
    target.writeUInt16BE(length, 2)
  } else {
    target[1] = MAX_SHORT + 2
    target.writeBigUInt64BE(BigInt(length), 2)
  }
}

/** A message with the head of its frame before it, for many to share: one piece is cheaper to send than two. */
export function frameOf(message: Uint8Array): Uint8Array {
  const head = headSize(message.length)
  const frame = Buffer.allocUnsafeSlow(head + message.length)
  writeHead(frame, message.length)
  frame.set(message, head)
  return frame
}

/** The same before a short text, as a binary string. */
function headText(length: number): string {
  if (length <= MAX_SHORT) return String.fromCharCode(TEXT, length)
  return String.fromCharCode(TEXT, MAX_SHORT + 1, length >> 8, length & 0xff)
}

/** One system call costs more than answering a call: the connection is corked until the turn ends. */
export function createFrameWriter(socket: Duplex): FrameWriter {
  let corked = false
  const uncork = (): void => {
    corked = false
    socket.uncork()
  }
  const cork = (): void => {
    if (corked) return
    corked = true
    socket.cork()
    process.nextTick(uncork)
  }
  return {
    writeFrame: (frame, onWritten) => {
      cork()
      socket.write(frame, onWritten)
    },
    write: (message, onWritten) => {
      cork()
      const isText = typeof message === 'string'
      const length = isText ? Buffer.byteLength(message) : message.length
      if (isText && length === message.length && length <= MAX_MEDIUM) {
        // ASCII: all frames of the turn are put together by the write itself, without a buffer for each.
        socket.write(headText(length) + message, 'latin1', onWritten)
        return
      }
      const head = headSize(length)
      const frame = Buffer.allocUnsafe(isText ? head + length : head)
      writeHead(frame, length)
      if (isText) {
        frame.write(message, head)
        socket.write(frame, onWritten)
      } else {
        socket.write(frame)
        socket.write(message, onWritten)
      }
    },
  }
}
