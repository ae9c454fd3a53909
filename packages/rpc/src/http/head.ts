import { RPC_ERRORS, RpcError } from '../errors.ts'
import { trimBlanks } from './trim-blanks.ts'

/** The error for bytes that are not an acceptable request. Its message is the status line without the version. */
export class HttpRefusal extends RpcError {
  /**
   * A text that says what the client can do. The body of the answer is the body that the reference sends, and then this
   * text.
   */
  readonly advice: string

  constructor(status: string, advice = '') {
    super(RPC_ERRORS.http, status)
    this.advice = advice
  }
}

/** The refusal of a head that is too long or has too many lines. */
export const headTooLarge = (advice?: string): HttpRefusal =>
  new HttpRefusal(
    '431 Request Header Fields Too Large',
    advice === undefined ? '' : `: ${RPC_ERRORS.headTooLarge}: ${advice}`,
  )

export const badRequest = (why?: string): HttpRefusal =>
  new HttpRefusal(why === undefined ? '400 Bad Request' : `400 Bad Request: ${why}`)

/** The first line and the headers of a request. */
export interface RequestHead {
  /** The number of bytes of the head. Each text below is a part of the head and keeps the whole head in memory. */
  readonly size: number
  readonly method: string
  readonly target: string
  readonly http11: boolean
  readonly headers: Map<string, string>
  readonly host: string
  readonly bodyLength: number
  readonly chunked: boolean
  readonly wantsClose: boolean
  /** True if an HTTP/1.0 client asks to keep the connection. */
  readonly wantsKeepAlive: boolean
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a header must not contain these characters.
const BAD_VALUE = /[\x00-\x08\x0a-\x1f\x7f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a target must not contain these characters.
const BAD_TARGET = /[\x00-\x20\x7f]/
const HOST = /^[A-Za-z0-9!$%&'()*+,\-.:;=@[\]_~]*$/

/**
 * Returns true for `*`, for a path, for a whole URI, and for any target of the method CONNECT. In a path or URI, each
 * `%` that is before the query must be followed by two hex digits.
 */
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

/** Throws {@link HttpRefusal} for a line that cannot begin a request. */
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

/** The limits of a head. A request above a limit is refused with status 431. */
export interface HeadLimits {
  /** The maximum number of header lines; lines that continue a header count too. Absent: no limit. */
  readonly maxHeaders?: number
}

/**
 * The maximum length of a header name that is kept. A longer name is only checked for invalid characters, because this
 * server uses no header with such a long name.
 */
const MAX_KEPT_NAME = 40

interface Lines {
  readonly headers: Map<string, string>
  readonly hosts: string[]
  readonly connection: string[]
  /** The value of the first `Content-Length` header of the request. */
  length: string | undefined
  /** True if the request has two `Content-Length` headers with different values. */
  lengthsDiffer: boolean
  encoding: string | undefined
  encodings: number
}

function addHeader(into: Lines, line: string): void {
  const colon = line.indexOf(':')
  if (colon <= 0) throw badRequest()
  const name = line.slice(0, colon)
  if (!TOKEN.test(name)) throw TOKEN.test(name.replace(/ /g, '')) ? badRequest('invalid header name') : badRequest()
  const value = trimBlanks(line, colon + 1)
  if (BAD_VALUE.test(value)) throw badRequest()
  if (name.length > MAX_KEPT_NAME) return
  const key = name.toLowerCase()
  if (key === 'content-length') {
    into.length ??= value
    into.lengthsDiffer ||= into.length !== value
  } else if (key === 'transfer-encoding') {
    into.encoding = value
    into.encodings++
  } else if (key === 'host') into.hosts.push(value)
  else if (key === 'connection') into.connection.push(value)
  if (!into.headers.has(key)) into.headers.set(key, value)
}

/**
 * Reads the header lines that follow the newline at `from`. A line that begins with a blank continues the header of the
 * previous line.
 */
function parseLines(text: string, from: number, { maxHeaders = Number.POSITIVE_INFINITY }: HeadLimits): Lines {
  const into: Lines = {
    headers: new Map(),
    hosts: [],
    connection: [],
    length: undefined,
    lengthsDiffer: false,
    encoding: undefined,
    encodings: 0,
  }
  let pending: string[] = []
  let count = 0
  for (let at = from; at >= 0; ) {
    const end = text.indexOf('\n', at + 1)
    const line = lineAt(text, at + 1, end)
    at = end
    if (line === '') continue
    if (++count > maxHeaders) throw headTooLarge(`a request may have at most ${maxHeaders} header lines; send fewer`)
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (pending.length === 0) throw badRequest()
      pending.push(line.trim())
      continue
    }
    if (pending.length > 0) addHeader(into, pending.join(' '))
    pending = [line]
  }
  if (pending.length > 0) addHeader(into, pending.join(' '))
  return into
}

/**
 * Returns the line that begins at `from`, without its final carriage return. `end` is the position of the newline after
 * the line; -1 means that the line ends at the end of the text.
 */
function lineAt(text: string, from: number, end: number): string {
  const to = end < 0 ? text.length : end
  return text.slice(from, to > from && text.charCodeAt(to - 1) === RETURN ? to - 1 : to)
}

const RETURN = 13

function lengthOf({ length: value, lengthsDiffer }: Lines): number {
  if (value === undefined) return 0
  if (lengthsDiffer || !/^[0-9]{1,15}$/.test(value)) throw badRequest()
  return Number(value)
}

/**
 * Parses the head of a request. `text` is a binary string and ends before the empty line. Throws {@link HttpRefusal}.
 */
export function parseHead(text: string, limits: HeadLimits = {}): RequestHead {
  const newline = text.indexOf('\n')
  const { method, target, version } = parseRequestLine(lineAt(text, 0, newline))
  const http11 = version !== 'HTTP/1.0'
  const lines = parseLines(text, newline, limits)
  const { headers, hosts } = lines
  const connection = lines.connection.join(',')
  if (hosts.length > 1) throw badRequest()
  const chunked = http11 && lines.encodings > 0
  if (chunked && (lines.encodings > 1 || lines.encoding?.toLowerCase() !== 'chunked'))
    throw new HttpRefusal('501 Not Implemented')
  const bodyLength = chunked ? 0 : lengthOf(lines)
  if (http11 && hosts.length === 0 && version !== 'HTTP/2.0' && method !== 'CONNECT')
    throw badRequest('missing required Host header')
  const host = hosts[0] ?? ''
  if (!HOST.test(host)) throw badRequest('malformed Host header')
  const tokens = connection === '' ? '' : `,${connection.toLowerCase().replace(/[ \t]/g, '')},`
  return {
    size: text.length,
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
