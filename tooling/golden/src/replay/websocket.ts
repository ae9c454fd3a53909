import { randomBytes } from 'node:crypto'
import { type ByteStream, EndOfStream, openStream } from './socket.ts'

export type WsMessage =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  | { readonly kind: 'close'; readonly payload: Buffer }

/** A WebSocket client for tests. It can also send frames that a correct client does not send. */
export interface WsConnection {
  readonly send: (bytes: Uint8Array, opcode?: number) => void
  /**
   * Resolves with the next message or close frame from the server. Answers pings in the meantime. Rejects with
   * `Silence` if nothing arrives in time.
   */
  readonly receive: (timeoutMs: number) => Promise<WsMessage>
  readonly close: () => void
}

export async function openWebSocket(port: number, path: string): Promise<WsConnection> {
  const stream = await openStream(port)
  const key = randomBytes(16).toString('base64')
  stream.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  )
  await stream.until('\r\n\r\n')
  const send = (bytes: Uint8Array, opcode = 1): void => stream.write(clientFrame(bytes, opcode))
  return {
    send,
    receive: async (timeoutMs) => {
      try {
        return await receive(stream, send, timeoutMs)
      } catch (error) {
        if (error instanceof EndOfStream) return { kind: 'close', payload: Buffer.alloc(0) }
        throw error
      }
    },
    close: () => {
      send(Buffer.from([0x03, 0xe8]), 8)
      stream.close()
    },
  }
}

function clientFrame(bytes: Uint8Array, opcode: number): Buffer {
  const length = bytes.length
  const head = length < 126 ? Buffer.alloc(2) : length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10)
  head[0] = 0x80 | opcode
  if (length < 126) head[1] = 0x80 | length
  else if (length < 65_536) {
    head[1] = 0xfe
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 0xff
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  const mask = randomBytes(4)
  const masked = Buffer.from(bytes)
  for (let i = 0; i < masked.length; i++) masked[i] = (masked[i] as number) ^ (mask[i & 3] as number)
  return Buffer.concat([head, mask, masked])
}

async function receive(stream: ByteStream, send: WsConnection['send'], timeoutMs: number): Promise<WsMessage> {
  const parts: Buffer[] = []
  for (;;) {
    const [first = 0, second = 0] = await stream.exact(2, timeoutMs)
    let length = second & 0x7f
    if (length === 126) length = (await stream.exact(2)).readUInt16BE()
    else if (length === 127) length = Number((await stream.exact(8)).readBigUInt64BE())
    const payload = await stream.exact(length)
    const opcode = first & 15
    if (opcode === 9) send(payload, 10)
    else if (opcode === 8) return { kind: 'close', payload }
    else if (opcode !== 10) {
      parts.push(payload)
      if ((first & 0x80) !== 0) return { kind: 'message', bytes: Buffer.concat(parts) }
    }
  }
}
