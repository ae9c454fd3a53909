import { countItems } from '@org/light'
import type { WebSocketLike } from '@org/rpc/client'
import type { Clock } from '@org/runtime'
import { type RawData, WebSocket } from 'ws'

/** The largest message of the primary: an event with a block of 20 MB. */
const MAX_MESSAGE_BYTES = 32 << 20
/**
 * The maximum number of bytes that the primary may send before it completes a message. Control frames between the
 * frames of the message count too: they are in the same received buffers, so they also stay in memory until the message
 * is complete.
 */
const MAX_UNFINISHED_BYTES = 2 * MAX_MESSAGE_BYTES
/**
 * The maximum number of commas and opening brackets in a message, which bounds the number of its values. An answer over
 * HTTP has the same bound.
 */
const MAX_MESSAGE_ITEMS = 1_000_000
/**
 * A time in milliseconds. If the primary sends no message, ping or pong for this time, the proxy sends a ping. If the
 * primary then still sends nothing for the same time, the proxy closes the connection.
 */
const IDLE_MS = 30_000

/** The address of the WebSocket of a node. */
export const socketAddress = (url: string): string => `${url.replace(/^http/, 'ws').replace(/\/$/, '')}/websocket`

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

/**
 * Opens a WebSocket to the primary. The primary is not trusted: the bytes and the values of a message are bounded
 * before the message is parsed. The connection is closed if the primary sends nothing for a minute.
 */
export function openPrimarySocket(address: string, { clock }: { readonly clock: Clock }): WebSocketLike {
  const socket = new WebSocket(address, { maxPayload: MAX_MESSAGE_BYTES })
  const like: WebSocketLike = {
    send: (text) => socket.send(text),
    close: () => {
      like.onmessage = null
      socket.close()
    },
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  }
  const emit = (handler: ((event: never) => void) | null, event: object): void => handler?.(event as never)
  let isPinged = false
  const onIdle = (): void => {
    if (isPinged || socket.readyState !== WebSocket.OPEN) {
      socket.terminate()
      return
    }
    isPinged = true
    socket.ping()
    timer = clock.after(IDLE_MS, onIdle)
  }
  let timer = clock.after(IDLE_MS, onIdle)
  const onLife = (): void => {
    isPinged = false
    timer.cancel()
    timer = clock.after(IDLE_MS, onIdle)
  }
  let unfinished = 0
  const onData = (chunk: Buffer): void => {
    unfinished += chunk.length
    if (unfinished > MAX_UNFINISHED_BYTES) socket.terminate()
  }
  // The function `onData` becomes a listener for `data` only at the event `open`. At the earlier event `upgrade`, the
  // WebSocket library does not listen for `data` yet. A listener that is added at the event `upgrade` would start the
  // flow of data. The library would then miss the frames that arrived with the answer to the upgrade.
  socket.on('upgrade', ({ socket: connection }) => {
    socket.once('open', () => connection.prependListener('data', onData))
  })
  socket.on('open', () => emit(like.onopen, {}))
  socket.on('ping', onLife)
  socket.on('pong', onLife)
  socket.on('message', (data) => {
    onLife()
    unfinished = 0
    const bytes = bytesOf(data)
    // A message with too many values closes the connection, and is not parsed.
    if (countItems(bytes) > MAX_MESSAGE_ITEMS) socket.terminate()
    else emit(like.onmessage, { data: bytes.toString() })
  })
  socket.on('error', (error) => emit(like.onerror, { error }))
  socket.on('close', () => {
    timer.cancel()
    emit(like.onclose, {})
  })
  return like
}
