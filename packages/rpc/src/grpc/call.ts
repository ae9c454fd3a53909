import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Clock } from '@org/runtime'
import { messageOf } from '@org/runtime/errors'
import type { GrpcAnswer, GrpcMethod, GrpcMethods } from './broadcast-api.ts'
import { createFrameReader, frame } from './frame.ts'
import type { GrpcLimits } from './options.ts'
import { encodeStatusMessage, GRPC_STATUS, type GrpcStatus } from './status.ts'

/** One call, which is one HTTP/2 stream. */
export interface GrpcCall {
  /** Bytes of the request in memory. */
  readonly requestBytes: () => number
  /** Bytes of the answer that the client has not read. */
  readonly unreadBytes: () => number
}

export interface GrpcCallModules {
  readonly methods: GrpcMethods
  readonly clock: Clock
  readonly remoteAddress: string
  /** Receives the number of bytes by which the memory of the call grew. */
  readonly grew: (bytes: number) => void
}

/** The status of a call that failed, beside the HTTP status: 200 for every call that speaks gRPC. */
interface Failure extends GrpcStatus {
  readonly httpStatus?: number
}

const CONTENT_TYPE = 'application/grpc'

/** Why the headers are not those of a gRPC call; `undefined` when they are. */
function headersFault(headers: IncomingHttpHeaders): Failure | undefined {
  const code = GRPC_STATUS.internal
  const type = headers['content-type'] ?? ''
  if (!/^application\/grpc(?:$|[+;])/.test(type))
    return { code, httpStatus: 415, message: `invalid gRPC request content-type "${type.slice(0, 64)}"` }
  const method = String(headers[':method'])
  if (method === 'POST') return undefined
  const message = `Received a HEADERS frame with :method "${method.slice(0, 64)}" which should be POST`
  return { code, httpStatus: 405, message }
}

function respondFailed(stream: ServerHttp2Stream, { code, message, httpStatus = 200 }: Failure): void {
  const status = { 'grpc-status': `${code}`, 'grpc-message': encodeStatusMessage(message) }
  stream.respond({ ':status': httpStatus, 'content-type': CONTENT_TYPE, ...status }, { endStream: true })
}

function respondMessage(stream: ServerHttp2Stream, bytes: Uint8Array): void {
  stream.respond({ ':status': 200, 'content-type': CONTENT_TYPE }, { waitForTrailers: true })
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': `${GRPC_STATUS.ok}`, 'grpc-message': '' }))
  stream.end(frame(bytes))
}

/** Reads, runs and answers one call. */
export function serveCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { limits, modules }: { readonly limits: GrpcLimits; readonly modules: GrpcCallModules },
): GrpcCall {
  const { methods, clock, remoteAddress, grew } = modules
  const compression = headers['grpc-encoding']
  const reader = createFrameReader(limits.maxMessageBytes, typeof compression === 'string' ? compression : undefined)
  const gone = new AbortController()
  let state: 'reading' | 'running' | 'answered' = 'reading'
  let held = 0
  let timer = clock.after(limits.readTimeoutMs, () => {
    const message = `the message of the call did not come within ${limits.readTimeoutMs} ms`
    finish({ kind: 'failed', status: { code: GRPC_STATUS.deadlineExceeded, message } })
  })

  function finish(answer: GrpcAnswer): void {
    timer.cancel()
    if (state === 'answered' || stream.destroyed) return
    state = 'answered'
    held = 0
    // Without this limit, a client that reads nothing would keep the stream and a place among the calls for ever.
    timer = clock.after(limits.writeTimeoutMs, () => stream.close(constants.NGHTTP2_CANCEL))
    if (answer.kind === 'failed') respondFailed(stream, answer.status)
    else {
      respondMessage(stream, answer.bytes)
      grew(answer.bytes.length)
    }
  }

  function run(method: GrpcMethod, message: Uint8Array): void {
    state = 'running'
    timer.cancel()
    method(message, { remoteAddress, signal: () => gone.signal }).then(finish, (error: unknown) =>
      finish({ kind: 'failed', status: { code: GRPC_STATUS.unknown, message: messageOf(error) } }),
    )
  }

  function onData(method: GrpcMethod, chunk: Uint8Array): void {
    if (state !== 'reading') return
    const read = reader.push(chunk)
    held = reader.held()
    if (read.kind === 'message') run(method, read.bytes)
    else if (read.kind === 'bad') finish({ kind: 'failed', status: read.status })
    grew(chunk.length)
  }

  stream.on('error', () => undefined)
  stream.once('close', () => {
    timer.cancel()
    held = 0
    gone.abort()
  })
  const method = headersFault(headers) ?? methods.get(String(headers[':path']))
  if (typeof method !== 'function') {
    finish({ kind: 'failed', status: method })
    // The rest of the message is not wanted, but the stream ends only after it was read.
    stream.resume()
  } else {
    stream.on('data', (chunk: Uint8Array) => onData(method, chunk))
    stream.once('end', () => {
      if (state === 'reading')
        finish({ kind: 'failed', status: { code: GRPC_STATUS.internal, message: 'the call ended without a message' } })
    })
  }
  return { requestBytes: () => held, unreadBytes: () => (stream.destroyed ? 0 : stream.writableLength) }
}
