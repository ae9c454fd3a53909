import { binaryOf } from '../../../../../packages/rpc/src/json/index.ts'
import type { Door } from '../door.ts'
import { listOf, runOf } from '../shapes.ts'
import { serve } from './serve.ts'

const MIB = 1024 * 1024

// The host is 127.0.0.1, because a node on loopback refuses other host names before it reads the rest of the request.
const UPGRADE =
  'GET /websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** Returns a WebSocket frame of a client. Its mask is zero, so the frame contains the text unchanged. */
function frame(head: number, content: string): Uint8Array {
  const body = Buffer.from(content, 'latin1')
  const length = body.length < 126 ? [0x80 | body.length] : [0xfe, body.length >> 8, body.length & 255]
  return new Uint8Array(Buffer.concat([Buffer.from([head, ...length, 0, 0, 0, 0]), body]))
}

/**
 * The beginning of a query. With one more condition at its end, the query is a little shorter than the limit of 512
 * bytes.
 */
const CONDITIONS = 'a.b=1 AND '.repeat(48)

const LAST = Buffer.from(frame(0x81, '{"jsonrpc":"2.0","id":"last","method":"health"}')).toString('latin1')

export const webSocket: Door = {
  name: 'WebSocket frames',
  where: 'rpc/src/websocket/websocket.ts',
  limit: MIB,
  costs: { nsPerByte: 8000, heldPerByte: 24 },
  open: () => serve('"last"'),
  shapes: {
    'empty fragments': runOf(
      frame(0x00, ''),
      Buffer.concat([Buffer.from(UPGRADE), frame(0x01, '{')]),
      Buffer.concat([frame(0x80, '}'), Buffer.from(LAST, 'latin1')]),
    ),
    'fragments of one byte': runOf(
      frame(0x00, ' '),
      Buffer.concat([Buffer.from(UPGRADE), frame(0x01, '{')]),
      Buffer.concat([frame(0x80, '}'), Buffer.from(LAST, 'latin1')]),
    ),
    pings: runOf(frame(0x89, ''), UPGRADE, LAST),
    'empty messages': runOf(frame(0x81, ''), UPGRADE, LAST),
    calls: runOf(frame(0x81, '{"id":1,"method":"health"}'), UPGRADE, LAST),
    notifications: runOf(frame(0x81, '{"method":"health"}'), UPGRADE, LAST),
    'subscriptions with different queries': listOf(
      (i) => binaryOf(frame(0x81, `{"id":1,"method":"subscribe","params":{"query":"${CONDITIONS}a.b=${i}"}}`)),
      UPGRADE,
      LAST,
    ),
    'subscriptions with broken queries': runOf(
      frame(0x81, `{"id":1,"method":"subscribe","params":{"query":"${CONDITIONS}"}}`),
      UPGRADE,
      LAST,
    ),
    'unsubscribe calls without a subscription': listOf(
      (i) => binaryOf(frame(0x81, `{"id":1,"method":"unsubscribe","params":{"query":"${CONDITIONS}a.b=${i}"}}`)),
      UPGRADE,
      LAST,
    ),
    'broken JSON': runOf(frame(0x81, '{'), UPGRADE, LAST),
  },
}
