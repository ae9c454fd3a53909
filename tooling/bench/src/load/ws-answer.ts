/** The request that opens a WebSocket. */
export const HANDSHAKE =
  'GET /websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** A whole message of the server. */
export interface WsMessage {
  readonly opcode: number
  readonly data: Buffer
}

/** Reads a server's frames at a low cost: without masks, one frame per message. */
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
    // A copy, because the reader's buffer is used again.
    rest = Buffer.from(input.subarray(at))
    return messages
  }
}

/** A client's frame. Its mask is zero, so it contains the bytes unchanged. */
export function clientFrame(opcode: number, data: Buffer): Buffer {
  const long = data.length > 125
  const frame = Buffer.alloc((long ? 8 : 6) + data.length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (long ? 126 : data.length)
  if (long) frame.writeUInt16BE(data.length, 2)
  data.copy(frame, long ? 8 : 6)
  return frame
}
