import { stringifyJson } from '@org/types/schema'
import { type HeaderBlock, type HttpResponse, headerBlock, withHeaders } from '../http/index.ts'

/** The JSON of a result, as text or as UTF-8 bytes. */
export type ResultJson = string | Uint8Array

/** One JSON-RPC answer. It is kept in pieces, because joining them would copy the bytes of a cached result. */
export type Reply = readonly (string | Uint8Array)[]

/** The value of `id` in answers to URI calls, and in answers to requests that could not be read. */
export const NO_ID = '-1'

export const JSON_HEADERS: HeaderBlock = headerBlock([['Content-Type', 'application/json']])
export const CACHEABLE_HEADERS: HeaderBlock = headerBlock([
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'public, max-age=86400'],
])
/** The headers of a cacheable answer whose profile depends on the `Accept` header. */
const VARYING_HEADERS: HeaderBlock = withHeaders(CACHEABLE_HEADERS, [['Vary', 'Accept']])
const EMPTY_HEADERS: HeaderBlock = headerBlock([])

const PREFIX = '{"jsonrpc":"2.0",'
const withId = (id: string | undefined): string => (id === undefined ? PREFIX : `${PREFIX}"id":${id},`)

export function resultReply(id: string | undefined, result: ResultJson): Reply {
  const head = `${withId(id)}"result":`
  return typeof result === 'string' ? [`${head}${result}}`] : [head, result, '}']
}

const ERROR_CODES = {
  parse: [-32700, 'Parse error. Invalid JSON'],
  request: [-32600, 'Invalid Request'],
  method: [-32601, 'Method not found'],
  params: [-32602, 'Invalid params'],
  internal: [-32603, 'Internal error'],
  server: [-32000, 'Server error'],
} as const

export type ErrorKind = keyof typeof ERROR_CODES

/** Returns the message of an error with its details, in one line. */
export function errorMessage(kind: ErrorKind, data: string): string {
  const [, message] = ERROR_CODES[kind]
  return data === '' ? message : `${message}: ${data}`
}

/**
 * Returns the answer to a failed call in the form of the profile `openapi`, in which the error is a text and not an
 * object.
 */
export function failureReply(id: string, error: string): Reply {
  return [`${withId(id)}"error":${stringifyJson(error)}}`]
}

export function errorReply(id: string | undefined, kind: ErrorKind, data = ''): Reply {
  const [code, message] = ERROR_CODES[kind]
  const more = data === '' ? '' : `,"data":${stringifyJson(data)}`
  return [`${withId(id)}"error":{"code":${code},"message":${stringifyJson(message)}${more}}}`]
}

export function jsonResponse(status: number, reply: Reply, headers: HeaderBlock = JSON_HEADERS): HttpResponse {
  return { status, headers, body: reply }
}

export function emptyResponse(status: number): HttpResponse {
  return { status, headers: EMPTY_HEADERS, body: [] }
}

/** Returns several replies as one JSON array, and a single reply without an array. */
export function joinReplies(replies: readonly Reply[]): Reply {
  if (replies.length === 1) return replies[0] as Reply
  return ['[', ...replies.flatMap((reply, index) => (index === 0 ? reply : [',', ...reply])), ']']
}

/** Adds `Vary: Accept` to an answer that HTTP caches may keep. Any other answer is returned unchanged. */
export function varyByAccept(response: HttpResponse): HttpResponse {
  return response.headers === CACHEABLE_HEADERS ? { ...response, headers: VARYING_HEADERS } : response
}

const NEGOTIATED = [
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept'],
] as const

/**
 * Adds the headers for HTTP caches to an answer whose profile was chosen by the `Accept` header. If the answer may be
 * cached, caches may use it only for requests with the same `Accept` header. If the answer may not be cached, the
 * headers forbid caches to keep it.
 */
export function negotiated(response: HttpResponse): HttpResponse {
  if (response.headers === CACHEABLE_HEADERS) return varyByAccept(response)
  return { ...response, headers: withHeaders(response.headers, NEGOTIATED) }
}

const PLAIN: HeaderBlock = headerBlock([
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['X-Content-Type-Options', 'nosniff'],
])

/** Returns an answer with an error as plain text, as `http.Error` of Go writes it. */
export function plainError(status: number, text: string, headers: HeaderBlock = PLAIN): HttpResponse {
  return { status, headers, body: [`${text}\n`] }
}
