import { messageOf } from '@org/runtime'
import type { Response } from '@org/types/abci'
import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { exceptionOf } from './exception.ts'

/** The error of a call that had no answer when its connection ended with `cause`. */
export function closedError(method: string, cause: AbciError): AbciError {
  return new AbciError(ABCI_ERRORS.closed, `${method}: ${cause.message}`, { data: { method }, cause })
}

function withMethod(method: string | undefined): { readonly method?: string } {
  return method === undefined ? {} : { method }
}

/** The error of a connection that the application or the network ended. `method` is the oldest open call. */
export function lostError(method: string | undefined, cause?: unknown): AbciError {
  const why = cause === undefined ? 'the application closed the connection' : `connection lost: ${messageOf(cause)}`
  const message = method === undefined ? why : `${method}: ${why}`
  return new AbciError(ABCI_ERRORS.closed, message, { data: withMethod(method), cause })
}

/** The error of a connection on which invalid bytes arrived. `method` is the oldest open call. */
export function badFrameError(cause: unknown, method: string | undefined): AbciError {
  const code = cause instanceof AbciError ? cause.code : ABCI_ERRORS.badFrame
  const data = { ...(cause instanceof AbciError ? cause.data : {}), ...withMethod(method) }
  return new AbciError(code, `${method ?? 'no call'}: ${messageOf(cause)}`, { data, cause })
}

/** The error of a connection that received an answer which does not belong to the oldest open call. */
export function unexpectedError(value: Response['value'], method: string | undefined): AbciError {
  const response = value?.case
  if (value?.case === 'exception') return exceptionOf(method, value.value.error, { data: { response } })
  const data = { ...withMethod(method), response }
  const got = value === undefined ? 'an empty response' : `a response to ${value.case}`
  const message = method === undefined ? `${got}, which was not requested` : `${method}: got ${got}`
  return new AbciError(ABCI_ERRORS.unexpectedResponse, message, { data })
}
