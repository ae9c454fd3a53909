import type { Duplex } from 'node:stream'

/**
 * Writes text messages to the connection of a WebSocket. All messages of one turn of the event loop are written
 * together.
 */
export interface FrameWriter {
  /** `onWritten` is called when the operating system has the message, or after the connection failed. */
  readonly write: (message: string | Uint8Array, onWritten: () => void) => void
  /** Writes whole frames, which are given in pieces. `pieces` is not empty. `onWritten` is called as in `write`. */
  readonly writeFrames: (pieces: readonly Uint8Array[], onWritten: () => void) => void
}

/** The first byte of a frame that is a whole text message. */
const TEXT = 0x81
const MAX_SHORT = 125
const MAX_MEDIUM = 0xffff

function headSize(length: number): number {
  if (length <= MAX_SHORT) return 2
  return length <= MAX_MEDIUM ? 4 : 10
}

/** The frames of a server are not masked. */
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

/** The head of a frame with a message of `length` bytes, followed by the beginning of the message. */
export function headOf(length: number, beginning: Uint8Array): Uint8Array {
  const head = headSize(length)
  const bytes = Buffer.allocUnsafeSlow(head + beginning.length)
  writeHead(bytes, length)
  bytes.set(beginning, head)
  return bytes
}

/** The head of a frame with a short text, as a binary string. */
function headText(length: number): string {
  if (length <= MAX_SHORT) return String.fromCharCode(TEXT, length)
  return String.fromCharCode(TEXT, MAX_SHORT + 1, length >> 8, length & 0xff)
}

/**
 * Creates a writer that collects the messages of one turn of the event loop and writes them together. One write to the
 * socket is a system call, and costs more than making one answer.
 */
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
    writeFrames: (pieces, onWritten) => {
      socket.cork()
      const last = pieces.length - 1
      for (let i = 0; i < last; i++) socket.write(pieces[i])
      socket.write(pieces[last], onWritten)
      socket.uncork()
    },
    write: (message, onWritten) => {
      cork()
      const isText = typeof message === 'string'
      const length = isText ? Buffer.byteLength(message) : message.length
      if (isText && length === message.length && length <= MAX_MEDIUM) {
        // No buffer is made for an ASCII text. The socket itself joins all texts that are written in this turn of the
        // event loop.
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
