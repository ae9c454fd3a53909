import { CodedError } from '@org/runtime/errors'

/** The codes of {@link RpcClientError}. */
export const RPC_CLIENT_ERRORS = {
  /** The node answered with an error. */
  refused: 'RPC_CLIENT_REFUSED',
  /** No valid answer: the connection failed, or the answer is not JSON-RPC. */
  transport: 'RPC_CLIENT_TRANSPORT',
  /** A value that is invalid for its argument. */
  argument: 'RPC_CLIENT_ARGUMENT',
  /** The answer does not have the shape of the operation's result. */
  shape: 'RPC_CLIENT_SHAPE',
  /** The client or its connection is closed. */
  closed: 'RPC_CLIENT_CLOSED',
  /** Events arrived faster than the consumer read them. */
  overflow: 'RPC_CLIENT_OVERFLOW',
  /**
   * After a lost connection, the client reached a node of another chain, or a node whose chain has the same chain id
   * but other blocks.
   */
  otherChain: 'RPC_CLIENT_OTHER_CHAIN',
  /** Subscriptions need a WebSocket. */
  needsWebSocket: 'RPC_CLIENT_NEEDS_WEBSOCKET',
} as const

/** A code of {@link RpcClientError}. */
export type RpcClientErrorCode = (typeof RPC_CLIENT_ERRORS)[keyof typeof RPC_CLIENT_ERRORS]

/** The error of a client of the RPC. Its code is one of {@link RPC_CLIENT_ERRORS}. */
export class RpcClientError extends CodedError<RpcClientErrorCode> {}

/** The error that a node returned instead of a result. */
export interface Refusal {
  readonly method: string
  /** The error code of JSON-RPC, such as -32603. */
  readonly rpcCode: number
  /** The explanation, in the node's words. */
  readonly detail: string
}

export interface TransportFailure {
  /**
   * True if the node sent an answer that is not JSON-RPC, or that has no reply to the call. False if no answer came.
   */
  readonly answered: boolean
}

interface Failure<Code extends RpcClientErrorCode, Data> extends Error {
  readonly code: Code
  readonly data: Data
}

/** The errors with which a client's calls reject. `code` distinguishes them. */
export type RpcFailure =
  | Failure<typeof RPC_CLIENT_ERRORS.refused, Refusal>
  | Failure<typeof RPC_CLIENT_ERRORS.shape, { readonly method: string }>
  | Failure<typeof RPC_CLIENT_ERRORS.argument, { readonly method: string; readonly argument: string }>
  | Failure<typeof RPC_CLIENT_ERRORS.transport, TransportFailure>
  | Failure<
      Exclude<
        RpcClientErrorCode,
        'RPC_CLIENT_REFUSED' | 'RPC_CLIENT_SHAPE' | 'RPC_CLIENT_ARGUMENT' | 'RPC_CLIENT_TRANSPORT'
      >,
      object
    >

/**
 * Returns true for an {@link RpcClientError}. Any other error is the reason of an aborted signal, or comes from a fault
 * in the code.
 */
export function isRpcFailure(error: unknown): error is RpcFailure {
  return error instanceof RpcClientError
}

interface ErrorBody {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** Converts a part of a node's error to a text. This part may be any JSON. */
function errorText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  try {
    return JSON.stringify(value)
  } catch {
    return 'a value with too many nested levels'
  }
}

/**
 * Creates the client's error for an error in the answer of a node. In the profile `openapi`, the error in the answer is
 * a text.
 */
export function refusal(method: string, body: unknown): RpcClientError {
  const given: ErrorBody = typeof body === 'object' && body !== null ? body : { message: String(body) }
  const rpcCode = typeof given.code === 'number' ? given.code : 0
  const [message, detail] = [errorText(given.message), errorText(given.data)]
  const data: Refusal = { method, rpcCode, detail }
  const text = detail === '' ? message : `${message}: ${detail}`
  return new RpcClientError(RPC_CLIENT_ERRORS.refused, text, { data: { ...data } })
}

/**
 * Creates an `RPC_CLIENT_TRANSPORT` error. `answered` is true if the node answered, but without a valid reply to the
 * call.
 */
export function transportError(what: string, cause?: unknown, answered = false): RpcClientError {
  return new RpcClientError(RPC_CLIENT_ERRORS.transport, what, { data: { answered }, cause })
}

export function closedError(): RpcClientError {
  return new RpcClientError(RPC_CLIENT_ERRORS.closed, 'the connection is closed')
}

/**
 * The error of a subscription that cannot resume, because the node to which the client is connected now belongs to
 * another chain.
 */
export function otherChain(before: string, now: string): RpcClientError {
  const message = `the node was on the chain ${JSON.stringify(before)} and is now on the chain ${JSON.stringify(now)}: subscribe again to receive the events of that chain`
  return new RpcClientError(RPC_CLIENT_ERRORS.otherChain, message, { data: { before, now } })
}

/** The error of a subscription that cannot resume, because the chain was reset under the same chain id. */
export function otherBlock(height: number, before: string, now: string): RpcClientError {
  const message = `the block at height ${height} was ${before} and is now ${now}: the chain was reset under the same chain id; subscribe again to begin with the new chain`
  return new RpcClientError(RPC_CLIENT_ERRORS.otherChain, message, { data: { height, before, now } })
}

export function needsWebSocket(): RpcClientError {
  return new RpcClientError(
    RPC_CLIENT_ERRORS.needsWebSocket,
    'subscriptions need a WebSocket: make the client with createWebSocketTransport',
  )
}
