import { CodedError } from '@org/runtime/errors'

export const RPC_CLIENT_ERRORS = {
  /** The node answered with an error; `data.rpcCode` and `data.detail` are its code and explanation. */
  refused: 'RPC_CLIENT_REFUSED',
  /** No answer: the connection failed, or the answer was not JSON-RPC. */
  transport: 'RPC_CLIENT_TRANSPORT',
  /** The answer has another shape than the operation's. */
  shape: 'RPC_CLIENT_SHAPE',
  /** The client or its connection is closed. */
  closed: 'RPC_CLIENT_CLOSED',
} as const

export type RpcClientErrorCode = (typeof RPC_CLIENT_ERRORS)[keyof typeof RPC_CLIENT_ERRORS]

export class RpcClientError extends CodedError<RpcClientErrorCode> {}

interface ErrorBody {
  readonly code?: number
  readonly message?: string
  readonly data?: string
}

/** The error in an answer. */
export function refusal(method: string, body: unknown): RpcClientError {
  const { code = 0, message = '', data = '' } = typeof body === 'object' && body !== null ? (body as ErrorBody) : {}
  const text = data === '' ? message : `${message}: ${data}`
  return new RpcClientError(RPC_CLIENT_ERRORS.refused, text, { data: { method, rpcCode: code, detail: data } })
}

export function transportError(what: string, cause?: unknown): RpcClientError {
  return new RpcClientError(RPC_CLIENT_ERRORS.transport, what, { cause })
}
