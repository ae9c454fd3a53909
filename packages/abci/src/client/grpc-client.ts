import type { Client, ClientOptions, ServiceError } from '@grpc/grpc-js'
import type { Clock } from '@org/runtime'
import { RequestEcho, RequestFlush, ResponseEcho, ResponseFlush } from '@org/types/abci'
import { formatAddress, grpcTarget, parseAddress } from '../address.ts'
import { ABCI_ERRORS, AbciError, type AbciErrorCode } from '../errors.ts'
import { loadGrpc } from '../load-grpc.ts'
import { GRPC_SERVICE, METHODS, type Method, type MethodName } from '../messages/index.ts'
import { CONNECT_RETRY, MAX_FRAME_BYTES } from '../options.ts'
import { methodsOver, type RemoteClient } from './client.ts'
import { exceptionOf } from './exception.ts'
import { createFailure } from './failure.ts'
import type { ClientModules, RemoteOptions } from './options.ts'
import { refuseCompression } from './refuse-compression.ts'
import { retryConnect } from './retry-connect.ts'

const MAX_INT32 = 2 ** 31 - 1

interface OpenCalls {
  readonly clock: Clock
  /** The functions that end the calls that have no answer yet. */
  readonly open: Set<(error: AbciError) => void>
  /** Ends the client because a call failed. */
  readonly fail: (error: AbciError) => void
}

/**
 * Returns the function `request`, which calls one method. `timeoutMs` is the time limit of a call; 0 means no limit.
 */
function createRequests(timeoutMs: number, { clock, open, fail }: OpenCalls) {
  /**
   * Performs one call. Rejects with the error of the library, with an `AbciError` if this client ends, or with the
   * reason of the signal.
   */
  function request<I, O>(on: Client, { name, method, value }: Request<I, O>, signal?: AbortSignal): Promise<O> {
    return new Promise((resolve, reject) => {
      const timer = timeoutMs > 0 ? clock.after(timeoutMs, onTimeout) : undefined
      const finish = (act: () => void): void => {
        if (!open.delete(onEnd)) return
        timer?.cancel()
        signal?.removeEventListener('abort', onAbort)
        act()
      }
      const onEnd = (cause: AbciError): void =>
        finish(() =>
          reject(new AbciError(ABCI_ERRORS.closed, `${name}: ${cause.message}`, { data: { method: name }, cause })),
        )
      const onAbort = (): void =>
        finish(() => {
          call.cancel()
          reject(signal?.reason)
        })
      open.add(onEnd)
      const call = on.makeUnaryRequest(
        `/${GRPC_SERVICE}/${method.rpc}`,
        (plain: I) => toBuffer(method.request.encode(plain)),
        (bytes: Buffer) => method.response.decode(bytes),
        value,
        (cause: ServiceError | null, response?: O) =>
          finish(() => {
            if (cause === null) resolve(response as O)
            else reject(cause)
          }),
      )
      if (signal?.aborted === true) onAbort()
      else signal?.addEventListener('abort', onAbort, { once: true })
      function onTimeout(): void {
        const message = `${name}: no answer from the application within ${timeoutMs} ms`
        const error = new AbciError(ABCI_ERRORS.timeout, message, { data: { method: name, timeoutMs } })
        finish(() => reject(error))
        fail(error)
      }
    })
  }

  return request
}

/**
 * A client of the gRPC protocol. Each `checkTx` call waits for the answer to the `checkTx` call before it. So the
 * application gets these calls in order, as the reference sends them. If the application answers `checkTx` with an
 * exception, the connection ends. An exception of another method rejects only its own call. The function is long
 * because it contains the whole of one connection: its opening, its calls and its end.
 */
export function createGrpcClient(options: RemoteOptions, modules: ClientModules): RemoteClient {
  const { maxFrameBytes = MAX_FRAME_BYTES, timeoutMs = 0 } = options
  const address = parseAddress(options.address)
  const failure = createFailure()
  const open = new Set<(error: AbciError) => void>()
  let channel: Client | undefined
  let connected = false
  let closing: AbciError | undefined
  let lastCheck: Promise<unknown> = Promise.resolve()

  function end(error: AbciError): void {
    if (closing !== undefined) return
    closing = error
    channel?.close()
    for (const reject of open) reject(error)
  }

  function fail(error: AbciError): void {
    if (closing !== undefined) return
    end(error)
    failure.set(error)
  }

  const request = createRequests(timeoutMs, { clock: modules.clock, open, fail })

  async function unary<I, O>(name: string, method: Method<I, O>, value: I): Promise<O> {
    const data = { method: name }
    if (closing !== undefined)
      throw new AbciError(ABCI_ERRORS.closed, `${name}: ${closing.message}`, { data, cause: closing })
    if (channel === undefined || !connected)
      throw new AbciError(ABCI_ERRORS.notConnected, `${name}: not connected to the application`, { data })
    try {
      return await request(channel, { name, method, value })
    } catch (cause) {
      throw cause instanceof AbciError ? cause : onServiceError(name, cause as ServiceError)
    }
  }

  function onServiceError(name: string, cause: ServiceError): AbciError {
    const code = CODES[cause.code] ?? ABCI_ERRORS.closed
    const data = { method: name, grpc: cause.code }
    const error =
      code === ABCI_ERRORS.exception
        ? exceptionOf(name, cause.details, { data, cause })
        : new AbciError(code, `${name}: ${cause.details}`, { data, cause })
    if (code !== ABCI_ERRORS.exception || name === 'checkTx') fail(error)
    return error
  }

  function call(name: MethodName, value: never): Promise<unknown> {
    const method = METHODS[name] as unknown as Method<unknown, unknown>
    if (name !== 'checkTx') return unary(name, method, value)
    const result = lastCheck.then(() => unary(name, method, value))
    lastCheck = result.catch(() => undefined)
    return result
  }

  const echo = async (message: string): Promise<string> => (await unary('echo', ECHO, { message })).message

  /** Tests whether the application answers. Like the reference, it calls Echo with the message `hello`. */
  const hello = (on: Client, signal?: AbortSignal): Promise<ResponseEcho> =>
    request(on, { name: 'echo', method: ECHO, value: { message: 'hello' } }, signal)

  /**
   * True if a further attempt to connect would also fail. An application that cannot be reached (`UNAVAILABLE`) may
   * start later, so its error is not final.
   */
  const isFinal = (cause: unknown): boolean => closing !== undefined || (cause as ServiceError).code !== UNAVAILABLE

  /**
   * Ends the client if its connection breaks. The reference would wait without a limit until the connection is
   * restored.
   */
  function watchConnection(up: Client): void {
    const channel = up.getChannel()
    channel.watchConnectivityState(READY, Number.POSITIVE_INFINITY, () => {
      fail(new AbciError(ABCI_ERRORS.closed, 'the application closed the connection'))
    })
  }

  return {
    ...methodsOver(call),
    echo,
    flush: async () => {
      await Promise.all([lastCheck, unary('flush', FLUSH, {})])
    },
    close: () => {
      end(new AbciError(ABCI_ERRORS.closed, 'the connection is closed'))
      return Promise.resolve()
    },
    onError: failure.listen,
    connect: async (signal) => {
      if (connected) return
      const { Client, credentials } = await loadGrpc()
      const made = new Client(
        grpcTarget(address, '127.0.0.1'),
        credentials.createInsecure(),
        channelOptions(maxFrameBytes),
      )
      refuseCompression(made)
      channel = made
      try {
        await retryConnect(
          { address: formatAddress(address), attempt: () => hello(made, signal), isFinal, reasonOf },
          modules,
          signal,
        )
      } catch (cause) {
        made.close()
        if (cause instanceof AbciError || signal?.aborted === true) throw cause
        throw onServiceError('echo', cause as ServiceError)
      }
      connected = true
      watchConnection(made)
    },
  }
}

interface Request<I, O> {
  readonly name: string
  readonly method: Method<I, O>
  readonly value: I
}

const ECHO: Method<RequestEcho, ResponseEcho> = {
  request: RequestEcho,
  response: ResponseEcho,
  lane: 'read',
  rpc: 'Echo',
}
const FLUSH: Method<RequestFlush, ResponseFlush> = {
  request: RequestFlush,
  response: ResponseFlush,
  lane: 'read',
  rpc: 'Flush',
}

/** The value of `READY` in grpc.connectivityState. */
const READY = 2

/** The value of `UNAVAILABLE` in grpc.status, for an application that cannot be reached. */
const UNAVAILABLE = 14

/** The codes of grpc.status and their `AbciError` codes; any other code means a lost connection. */
const CODES: Readonly<Record<number, AbciErrorCode>> = {
  // UNKNOWN means that the application threw an error.
  2: ABCI_ERRORS.exception,
  // RESOURCE_EXHAUSTED means that a message is larger than the limit.
  8: ABCI_ERRORS.frameTooLarge,
  // UNIMPLEMENTED means that the application does not have the method.
  12: ABCI_ERRORS.exception,
  // INTERNAL means that an answer cannot be decoded.
  13: ABCI_ERRORS.badFrame,
}

const LAST_ERROR = 'Last error: '
const NOTE = '. Resolution note: '

/**
 * Returns the operating system's error text, which the library puts into its longer description of a failed connection.
 */
function reasonOf(cause: unknown): string {
  const { details } = cause as ServiceError
  const from = details.indexOf(LAST_ERROR)
  const to = details.lastIndexOf(NOTE)
  return details.slice(from < 0 ? 0 : from + LAST_ERROR.length, to < 0 ? undefined : to)
}

function channelOptions(maxFrameBytes: number): ClientOptions {
  return {
    'grpc.max_receive_message_length': maxFrameBytes,
    'grpc.max_send_message_length': -1,
    // The first two options give each client a separate connection that goes directly to the application, not through a
    // proxy.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
    'grpc.client_idle_timeout_ms': MAX_INT32,
    'grpc.initial_reconnect_backoff_ms': CONNECT_RETRY.first,
    'grpc.max_reconnect_backoff_ms': CONNECT_RETRY.max,
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
