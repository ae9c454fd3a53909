import { connect } from 'node:net'
import { type LoadCounts, type LoadOptions, type LoadResult, runLoad } from './run-load.ts'
import { clientFrame, createFrameReader, HANDSHAKE } from './ws-answer.ts'

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10

/** Returns the frame with a `broadcast_tx_sync` call. The transaction may have up to 40 kB. */
export function txFrame(tx: Buffer): Buffer {
  const params = `{"tx":"${tx.toString('base64')}"}`
  return clientFrame(TEXT, Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"broadcast_tx_sync","params":${params}}`))
}

interface WsLoadOptions extends LoadOptions {
  /** The number of calls on each connection that are sent and not answered. */
  readonly window: number
}

/** Sends frames over a number of WebSockets, with up to `window` unanswered calls on each. */
export function wsLoad(options: WsLoadOptions): Promise<LoadResult> {
  return runLoad(options, oneConnection)
}

function oneConnection(options: WsLoadOptions, deadline: number, counts: LoadCounts): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = createFrameReader()
    let isOpen = false
    let open = 0
    // A plain socket without a WebSocket library, and with one buffer for all reads, because this process must use less
    // processor time than the measured node.
    const onread = {
      buffer: Buffer.alloc(256 * 1024),
      callback: (size: number, data: Uint8Array): boolean => {
        onData(Buffer.from(data.buffer, data.byteOffset, size))
        return true
      },
    }
    const socket = connect({ host: '127.0.0.1', port: options.port, noDelay: true, onread })
    const fill = (): void => {
      socket.cork()
      while (open < options.window) {
        const frame = performance.now() < deadline ? options.next() : undefined
        if (frame === undefined) break
        open++
        socket.write(frame)
      }
      socket.uncork()
      if (open > 0) return
      socket.end(clientFrame(CLOSE, Buffer.from([0x03, 0xe8])))
      resolve()
    }
    const onData = (data: Buffer): void => {
      let frames = data
      if (!isOpen) {
        const end = data.indexOf('\r\n\r\n')
        if (end < 0 || !data.toString('latin1').startsWith('HTTP/1.1 101')) {
          socket.destroy(new Error('the WebSocket was not opened'))
          return
        }
        isOpen = true
        frames = data.subarray(end + 4)
      }
      for (const { opcode, data: message } of read(frames)) {
        if (opcode === PING) socket.write(clientFrame(PONG, message))
        else if (opcode === TEXT) {
          open--
          counts.answered++
          if (!message.includes('"code":0')) counts.failed++
        }
      }
      fill()
    }
    socket.on('connect', () => socket.write(HANDSHAKE))
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}
