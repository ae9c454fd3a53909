import { CodedError, isCodedError } from '@org/runtime/errors'

/** The codes of {@link RpcError}. */
export const RPC_ERRORS = {
  /** The request is not valid JSON. */
  syntax: 'RPC_SYNTAX',
  /** A value has the wrong type for its parameter. */
  argument: 'RPC_ARGUMENT',
  /**
   * A call with valid arguments that cannot be answered: for example a height out of range, or a page after the last.
   */
  refused: 'RPC_REFUSED',
  /**
   * An input on which a handler of the reference crashes. The answer is the one that the reference gives after the
   * crash.
   */
  panic: 'RPC_PANIC',
  /** A client sent bytes that are not HTTP. */
  http: 'RPC_HTTP',
  /** The head of a request has more lines or bytes than the node allows. */
  headTooLarge: 'RPC_HEAD_TOO_LARGE',
  /** A multipart form has more parts, or longer headers, than the node allows. */
  formTooLarge: 'RPC_FORM_TOO_LARGE',
  /** A request from a web page of another site. */
  foreignOrigin: 'RPC_FOREIGN_ORIGIN',
  /** A request to a listener on loopback that names another host. */
  foreignHost: 'RPC_FOREIGN_HOST',
  /**
   * A call of an unsafe operation that any web page could send through the browser of its visitor. An unsafe operation
   * may be called only by a POST request with a JSON content type. A browser sends this kind of request to another site
   * only if that site permits it.
   */
  unsafeCall: 'RPC_UNSAFE_CALL',
  /** A client wants to resume events after a block that belongs to another chain. */
  otherChain: 'EVENTS_OTHER_CHAIN',
  /** A client wants to resume events after a block that the chain has not reached yet. */
  ahead: 'EVENTS_AHEAD',
  /** A listen address, certificate or origin of the configuration cannot be used. */
  config: 'RPC_CONFIG',
  /** The node is short of memory, or all clients together hold more memory than they may. */
  memory: 'RPC_MEMORY',
  /** Consensus of this node has failed, so a transaction that it accepts would never be in a block. */
  consensusFailed: 'RPC_CONSENSUS_FAILED',
  /** Another node sent an answer that does not have the form of the operation's result. */
  wrongAnswer: 'RPC_WRONG_ANSWER',
  /** This node has no chain to serve yet, for example because it is restoring a snapshot. */
  notReady: 'RPC_NOT_READY',
} as const

/** A code of {@link RpcError}. */
export type RpcErrorCode = (typeof RPC_ERRORS)[keyof typeof RPC_ERRORS]

/** The error of the RPC server. Its code is one of {@link RPC_ERRORS}. */
export class RpcError extends CodedError<RpcErrorCode> {}

/** Creates the error for a call on which the reference crashes with this message. */
export function panic(message: string): RpcError {
  return new RpcError(RPC_ERRORS.panic, message)
}

/**
 * Creates the error for a crash inside Go's package `reflect`. The reference's WebSocket server adds a special prefix
 * to the message of such a crash.
 */
export function reflectPanic(message: string): RpcError {
  return new RpcError(RPC_ERRORS.panic, `reflect: ${message}`, { data: { isOfReflect: true } })
}

export const isOfReflect = (error: unknown): boolean => isCodedError(error) && error.data.isOfReflect === true

export const isPanic = (error: unknown): boolean => isCodedError(error, RPC_ERRORS.panic)

export function refused(message: string): RpcError {
  return new RpcError(RPC_ERRORS.refused, message)
}

export function argumentError(message: string): RpcError {
  return new RpcError(RPC_ERRORS.argument, message)
}
