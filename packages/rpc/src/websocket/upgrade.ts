import { plainError } from '../call/envelope.ts'
import { type HttpRequest, type HttpResponse, headerBlock } from '../http/index.ts'

const HEADERS = headerBlock([
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Sec-Websocket-Version', '13'],
  ['X-Content-Type-Options', 'nosniff'],
])

function hasToken(request: HttpRequest, name: string, token: string): boolean {
  const value = request.headers.get(name) ?? ''
  return value.split(',').some((part) => part.trim().toLowerCase() === token)
}

/** Returns the answer to a request that cannot open a WebSocket; `undefined` if the request can open a WebSocket. */
export function checkUpgrade(request: HttpRequest): HttpResponse | undefined {
  const badRequest = plainError(400, 'Bad Request', HEADERS)
  if (!hasToken(request, 'connection', 'upgrade') || !hasToken(request, 'upgrade', 'websocket')) return badRequest
  if (request.method !== 'GET') return plainError(405, 'Method Not Allowed', HEADERS)
  if (!hasToken(request, 'sec-websocket-version', '13')) return badRequest
  const key = request.headers.get('sec-websocket-key') ?? ''
  return /^[+/0-9A-Za-z]{22}==$/.test(key) ? undefined : badRequest
}
