/** The HTTP request of a client that opens a WebSocket. */
export const HANDSHAKE =
  'GET /websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** A complete message from the server. */
export interface WsMessage {
  readonly opcode: number
  readonly data: Buffer
}

/**
 * Returns a function that reads the frames of a server with little processor time. The frames must have no mask, and
 * each message must be one frame.
 */
export function createFrameReader(): (chunk: Buffer) => readonly WsMessage[] {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const input = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: WsMessage[] = []
    let at = 0
    for (;;) {
      const short = (input[at + 1] ?? 0) & 0x7f
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      if (input.length < at + head) break
      const length =
        short < 126 ? short : short === 126 ? input.readUInt16BE(at + 2) : Number(input.readBigUInt64BE(at + 2))
      const end = at + head + length
      if (input.length < end) break
      messages.push({ opcode: (input[at] as number) & 0x0f, data: input.subarray(at + head, end) })
      at = end
    }
    // The bytes of the unfinished frame are copied, because the socket overwrites its buffer at the next read.
    rest = Buffer.from(input.subarray(at))
    return messages
  }
}

/** Returns a frame of a client. Its mask is zero, so the frame contains the data unchanged. */
export function clientFrame(opcode: number, data: Buffer): Buffer {
  const long = data.length > 125
  const frame = Buffer.alloc((long ? 8 : 6) + data.length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (long ? 126 : data.length)
  if (long) frame.writeUInt16BE(data.length, 2)
  data.copy(frame, long ? 8 : 6)
  return frame
}
