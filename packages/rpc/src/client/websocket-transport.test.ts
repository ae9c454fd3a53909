import { expect, test } from 'vitest'
import type { WebSocketLike } from './websocket-calls.ts'
import { createWebSocketTransport } from './websocket-transport.ts'

test.each(['{"id":1,"result"', 'null', '7'])(
  'error: a message that is not an object, %s, ends the connection and its calls',
  async (text) => {
    let isClosed = false
    const socket: WebSocketLike = {
      send: () => (socket.onmessage as (event: { data: string }) => void)({ data: text }),
      close: () => {
        isClosed = true
      },
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
    }
    const transport = createWebSocketTransport('ws://here', {
      connect: () => {
        queueMicrotask(() => (socket.onopen as () => void)())
        return socket
      },
    })
    await expect(transport.send([{ method: 'health', params: {} }])).rejects.toMatchObject({
      code: 'RPC_CLIENT_CLOSED',
    })
    expect(isClosed).toBe(true)
  },
)
