import { RPC_ERRORS, RpcError } from '../errors.ts'
import { trimBlanks } from './trim-blanks.ts'

/** Bytes that are no acceptable request. The message is the status line after the version. */
export class HttpRefusal extends RpcError {
  constructor(status: string) {
    super(RPC_ERRORS.http, status)
  }
}

export const badRequest = (why?: string): HttpRefusal =>
  new HttpRefusal(why === undefined ? '400 Bad Request' : `400 Bad Request: ${why}`)

/** The first line and the headers of a request. */
export interface RequestHead {
  readonly method: string
  readonly target: string
  readonly http11: boolean
  readonly headers: Map<string, string>
  readonly host: string
  readonly bodyLength: number
  readonly chunked: boolean
  readonly wantsClose: boolean
  /** An HTTP/1.0 client that asks to keep the connection. */
  readonly wantsKeepAlive: boolean
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a header may not hold.
const BAD_VALUE = /[\x00-\x08\x0a-\x1f\x7f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a target may not hold.
const BAD_TARGET = /[\x00-\x20\x7f]/
const HOST = /^[A-Za-z0-9!$%&'()*+,\-.:;=@[\]_~]*$/

/** `*`, a path, a whole URI, or (CONNECT) an authority; the escapes before the query must be whole. */
function isTarget(method: string, target: string): boolean {
  if (target === '*' || method === 'CONNECT') return true
  const path = /^(?:\/|[A-Za-z][A-Za-z0-9+.-]*:\/\/)[^?]*/.exec(target)?.[0]
  return path !== undefined && !/%(?![0-9a-fA-F]{2})/.test(path)
}

interface RequestLine {
  readonly method: string
  readonly target: string
  readonly version: string
}

/** Throws {@link HttpRefusal} for a line that no request begins with. */
export function parseRequestLine(line: string): RequestLine {
  const first = line.indexOf(' ')
  const second = line.indexOf(' ', first + 1)
  if (first <= 0 || second < 0) throw badRequest()
  const method = line.slice(0, first)
  const target = line.slice(first + 1, second)
  const version = line.slice(second + 1)
  if (!TOKEN.test(method)) throw badRequest()
  if (version === 'HTTP/1.1' || version === 'HTTP/1.0') {
    if (target === '' || BAD_TARGET.test(target) || !isTarget(method, target)) throw badRequest()
    return { method, target, version }
  }
  if (!/^HTTP\/\d\.\d$/.test(version)) throw badRequest()
  if (/^HTTP\/1/.test(version)) return { method, target, version: 'HTTP/1.1' }
  if (version === 'HTTP/2.0' && method === 'PRI' && target === '*') return { method, target, version }
  throw new HttpRefusal('505 HTTP Version Not Supported: unsupported protocol version')
}

interface Lines {
  readonly headers: Map<string, string>
  readonly lengths: string[]
  readonly encodings: string[]
  readonly hosts: string[]
  connection: string
}

function addHeader(into: Lines, line: string): void {
  const colon = line.indexOf(':')
  if (colon <= 0) throw badRequest()
  const name = line.slice(0, colon)
  if (!TOKEN.test(name)) throw TOKEN.test(name.replace(/ /g, '')) ? badRequest('invalid header name') : badRequest()
  const value = trimBlanks(line, colon + 1)
  if (BAD_VALUE.test(value)) throw badRequest()
  const key = name.toLowerCase()
  if (key === 'content-length') into.lengths.push(value)
  else if (key === 'transfer-encoding') into.encodings.push(value)
  else if (key === 'host') into.hosts.push(value)
  else if (key === 'connection') into.connection = into.connection === '' ? value : `${into.connection},${value}`
  if (!into.headers.has(key)) into.headers.set(key, value)
}

function parseLines(lines: readonly string[]): Lines {
  const into: Lines = { headers: new Map(), lengths: [], encodings: [], hosts: [], connection: '' }
  let pending = ''
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string
    const first = line.charCodeAt(0)
    if (first === 32 || first === 9) {
      if (pending === '') throw badRequest()
      pending += ` ${line.trim()}`
      continue
    }
    if (pending !== '') addHeader(into, pending)
    pending = line
  }
  if (pending !== '') addHeader(into, pending)
  return into
}

function lengthOf(values: readonly string[]): number {
  const [first, ...rest] = values
  if (first === undefined) return 0
  if (rest.some((value) => value !== first) || !/^[0-9]{1,15}$/.test(first)) throw badRequest()
  return Number(first)
}

/** Parses everything up to the empty line, given as a binary string without it. Throws {@link HttpRefusal}. */
export function parseHead(text: string): RequestHead {
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    if (line.charCodeAt(line.length - 1) === 13) lines[i] = line.slice(0, -1)
  }
  const { method, target, version } = parseRequestLine(lines[0] as string)
  const http11 = version !== 'HTTP/1.0'
  const { headers, lengths, encodings, hosts, connection } = parseLines(lines)
  if (hosts.length > 1) throw badRequest()
  const chunked = http11 && encodings.length > 0
  if (chunked && (encodings.length > 1 || encodings[0]?.toLowerCase() !== 'chunked'))
    throw new HttpRefusal('501 Not Implemented')
  const bodyLength = chunked ? 0 : lengthOf(lengths)
  if (http11 && hosts.length === 0 && version !== 'HTTP/2.0' && method !== 'CONNECT')
    throw badRequest('missing required Host header')
  const host = hosts[0] ?? ''
  if (!HOST.test(host)) throw badRequest('malformed Host header')
  const tokens = connection === '' ? '' : `,${connection.toLowerCase().replace(/[ \t]/g, '')},`
  return {
    method,
    target,
    http11,
    headers,
    host,
    bodyLength,
    chunked,
    wantsClose: tokens.includes(',close,') || version === 'HTTP/2.0',
    wantsKeepAlive: !http11 && tokens.includes(',keep-alive,'),
  }
}
