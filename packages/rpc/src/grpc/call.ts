import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Clock } from '@org/runtime'
import { messageOf } from '@org/runtime/errors'
import type { GrpcAnswer, GrpcMethod, GrpcMethods } from './broadcast-api.ts'
import { createFrameReader, frame } from './frame.ts'
import { type CallHeaders, compressionFault, type Failure, readHeaders } from './headers.ts'
import type { GrpcLimits } from './options.ts'
import { encodeStatusMessage, GRPC_STATUS } from './status.ts'

/** One call, which is one HTTP/2 stream. */
export interface GrpcCall {
  /** Returns the number of bytes of the request that are in memory. */
  readonly requestBytes: () => number
  /** Returns the number of bytes of the answer that the client has not read. */
  readonly unreadBytes: () => number
}

export interface GrpcCallModules {
  readonly methods: GrpcMethods
  readonly clock: Clock
  readonly remoteAddress: string
  /** Receives the growth of the memory that the call uses, in bytes. */
  readonly grew: (bytes: number) => void
}

function respondFailed(
  stream: ServerHttp2Stream,
  contentType: string,
  { code, message, httpStatus = 200 }: Failure,
): void {
  const status = { 'grpc-status': `${code}`, 'grpc-message': encodeStatusMessage(message) }
  stream.respond({ ':status': httpStatus, 'content-type': contentType, ...status }, { endStream: true })
}

function respondMessage(stream: ServerHttp2Stream, contentType: string, bytes: Uint8Array): void {
  stream.respond({ ':status': 200, 'content-type': contentType }, { waitForTrailers: true })
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': `${GRPC_STATUS.ok}`, 'grpc-message': '' }))
  stream.end(frame(bytes))
}

/** Returns the method of a call, or the status with which the call is refused before its message comes. */
function methodOf({ fault, path, compression }: CallHeaders, methods: GrpcMethods): GrpcMethod | Failure {
  if (fault !== undefined) return fault
  const method = methods.get(path)
  return typeof method === 'function' ? (compressionFault(compression) ?? method) : method
}

/** Reads, runs and answers one call. */
export function serveCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { limits, modules }: { readonly limits: GrpcLimits; readonly modules: GrpcCallModules },
): GrpcCall {
  const { methods, clock, remoteAddress, grew } = modules
  const read = readHeaders(headers)
  const reader = createFrameReader(limits.maxMessageBytes, read.compression)
  const gone = new AbortController()
  let state: 'reading' | 'running' | 'answered' = 'reading'
  let held = 0
  let timer = clock.after(Math.min(limits.readTimeoutMs, read.timeoutMs), () => {
    const message =
      read.timeoutMs <= limits.readTimeoutMs
        ? 'context deadline exceeded'
        : `the message of the call did not come within ${limits.readTimeoutMs} ms`
    finish({ kind: 'failed', status: { code: GRPC_STATUS.deadlineExceeded, message } })
  })

  function finish(answer: GrpcAnswer): void {
    timer.cancel()
    // When a client resets a stream, Node.js closes the stream at once, and destroys it some time later. Writing an
    // answer to a closed stream would throw an error.
    if (state === 'answered' || stream.destroyed || stream.closed) return
    state = 'answered'
    held = 0
    // Without this time limit, a client that reads nothing would keep the stream open for ever. The stream would
    // count towards the limit of open calls on this connection.
    timer = clock.after(limits.writeTimeoutMs, () => stream.close(constants.NGHTTP2_CANCEL))
    if (answer.kind === 'failed') respondFailed(stream, read.contentType, answer.status)
    else {
      respondMessage(stream, read.contentType, answer.bytes)
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
    const pushed = reader.push(chunk)
    held = reader.heldBytes()
    if (pushed.kind === 'message') run(method, pushed.bytes)
    else if (pushed.kind === 'bad') finish({ kind: 'failed', status: pushed.status })
    grew(chunk.length)
  }

  stream.on('error', () => undefined)
  stream.once('close', () => {
    timer.cancel()
    held = 0
    gone.abort()
  })
  const method = methodOf(read, methods)
  if (typeof method !== 'function') {
    finish({ kind: 'failed', status: method })
    // The call is answered, so the rest of its message is discarded. It must still be read, because the stream ends
    // only after that.
    stream.resume()
  } else {
    stream.on('data', (chunk: Uint8Array) => onData(method, chunk))
    stream.once('end', () => {
      if (state === 'reading') finish({ kind: 'failed', status: reader.endStatus() })
    })
  }
  return { requestBytes: () => held, unreadBytes: () => (stream.destroyed ? 0 : stream.writableLength) }
}
