import { startRpc } from '../../../../../packages/rpc/test/start-rpc.ts'
import type { Door, Shape } from '../door.ts'
import { runOf } from '../shapes.ts'
import { send } from './send.ts'

const TYPES = { data: 0, headers: 1, priority: 2, reset: 3, settings: 4, ping: 6, window: 8, continuation: 9 } as const
const END_STREAM = 1
const END_HEADERS = 4

interface Frame {
  readonly type: number
  readonly flags?: number
  readonly stream?: number
  readonly body?: Uint8Array
}

/** Returns an HTTP/2 frame. */
function frame({ type, flags = 0, stream = 0, body = new Uint8Array(0) }: Frame): Uint8Array {
  const bytes = Buffer.alloc(9 + body.length)
  bytes.writeUIntBE(body.length, 0, 3)
  bytes[3] = type
  bytes[4] = flags
  bytes.writeUInt32BE(stream, 5)
  bytes.set(body, 9)
  return new Uint8Array(bytes)
}

/** Returns a header in the encoding that does not add it to the header table. */
const header = (name: string, value: string): Uint8Array =>
  new Uint8Array(Buffer.from([0, name.length, ...Buffer.from(name), value.length, ...Buffer.from(value)]))

const bytesOf = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/**
 * The headers of a call of the gRPC method Ping. The bytes 0x83 and 0x86 are the entries for method POST and scheme
 * http in the static header table.
 */
const PING_CALL = bytesOf(
  Uint8Array.of(0x83, 0x86),
  header(':authority', 'a'),
  header(':path', '/tendermint.rpc.grpc.BroadcastAPI/Ping'),
  header('content-type', 'application/grpc'),
)

const PREFACE = bytesOf(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame({ type: TYPES.settings }))
/**
 * The text in the last frame, which is a ping. The server returns the data of a ping, so the reader waits for this
 * text.
 */
const END = 'LASTPING'
const LAST = frame({ type: TYPES.ping, body: Buffer.from(END) })
const OPEN = bytesOf(PREFACE, frame({ type: TYPES.headers, flags: END_HEADERS, stream: 1, body: PING_CALL }))

const many = (unit: Uint8Array, before = PREFACE): Shape => runOf(unit, before, LAST)

/** Returns a function that makes inputs. Each input has many calls, each on a new stream. The stream ids ascend. */
const calls =
  (make: (stream: number) => Uint8Array): Shape =>
  (size) => {
    const parts: Uint8Array[] = [PREFACE]
    let length = PREFACE.length + LAST.length
    for (let stream = 1; length < size; stream += 2) {
      const part = make(stream)
      parts.push(part)
      length += part.length
    }
    return bytesOf(...parts, LAST)
  }

const headersOf = (stream: number, flags: number, body = PING_CALL): Uint8Array =>
  frame({ type: TYPES.headers, flags, stream, body })

/**
 * Returns an input that first adds a header of 4,000 bytes to the header table. Then it refers to this header many
 * times, with one byte each time.
 */
const references = (size: number): Uint8Array => {
  const value = Buffer.alloc(4000, 'a')
  const long = bytesOf(PING_CALL, Uint8Array.of(0x40, 1, 0x78, 0x7f, 0xa1, 0x1e), value)
  const first = bytesOf(PREFACE, headersOf(1, END_HEADERS, long))
  const body = bytesOf(PING_CALL, Buffer.alloc(Math.max(1, Math.min(16_000, size)), 0xbe))
  return runOf(headersOf(3, END_HEADERS, body), first, LAST)(Math.max(size, first.length + body.length + 100))
}

export const grpcServer: Door = {
  name: 'gRPC server',
  where: 'rpc/src/grpc/server.ts',
  limit: 1024 * 1024,
  costs: { nsPerByte: 500, heldPerByte: 24 },
  open: async () => {
    const running = await startRpc({ laddr: '', grpcLaddr: 'tcp://127.0.0.1:0' })
    const port = Number(running.listener.grpcAddress?.split(':').at(-1))
    return { read: (input) => send(port, input, END), close: () => running[Symbol.asyncDispose]() }
  },
  shapes: {
    pings: many(frame({ type: TYPES.ping, body: new Uint8Array(8) })),
    settings: many(frame({ type: TYPES.settings })),
    'changes of the table size': many(frame({ type: TYPES.settings, body: Uint8Array.of(0, 1, 0, 0, 16, 0) })),
    'window updates': many(frame({ type: TYPES.window, body: Uint8Array.of(0, 0, 0, 1) })),
    priorities: many(frame({ type: TYPES.priority, stream: 1, body: Uint8Array.of(0, 0, 0, 3, 1) })),
    'unknown frames': many(frame({ type: 0x77 })),
    'empty frames of data': many(frame({ type: TYPES.data, stream: 1 }), OPEN),
    'frames of one byte': many(frame({ type: TYPES.data, stream: 1, body: Uint8Array.of(0) }), OPEN),
    'empty continuations': many(frame({ type: TYPES.continuation, stream: 1 }), bytesOf(PREFACE, headersOf(1, 0))),
    'continuations of one header': many(
      frame({ type: TYPES.continuation, stream: 1, body: header('a', 'b') }),
      bytesOf(PREFACE, headersOf(1, 0)),
    ),
    'references to a long header': references,
    calls: calls((stream) =>
      bytesOf(
        headersOf(stream, END_HEADERS),
        frame({ type: TYPES.data, flags: END_STREAM, stream, body: new Uint8Array(5) }),
      ),
    ),
    'calls without a message': calls((stream) => headersOf(stream, END_HEADERS | END_STREAM)),
    'calls that are reset': calls((stream) =>
      bytesOf(headersOf(stream, END_HEADERS), frame({ type: TYPES.reset, stream, body: new Uint8Array(4) })),
    ),
  },
}
