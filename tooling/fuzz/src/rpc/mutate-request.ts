import type { Exchange } from '@org/golden'
import type { RandomSource } from '../decode/random-source.ts'
import { tokensOf } from './tokens.ts'

type Request = Exchange['request']

/**
 * JSON values for arguments of requests. These values are unusual, or at the limit of the values that an argument may
 * have.
 */
const VALUES = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '1',
    '75',
    '76',
    '-1',
    '1.5',
    '1e2',
    '1E+2',
    '007',
    '1e400',
    '99999999999999999999',
  ],
  ...[
    '""',
    '"0"',
    '"-0"',
    '"1"',
    '"75"',
    '"76"',
    '"77"',
    '"-1"',
    '" 5"',
    '"+5"',
    '"1.0"',
    '"null"',
    '"true"',
    '"\\"5\\""',
  ],
  ...['"9223372036854775807"', '"9223372036854775808"', '"-9223372036854775808"', '"a"', '"0x1"', '"0xab"', '"zz"'],
  ...[
    '"YWJj"',
    '"YWJ"',
    '"YQ=="',
    '"Y Q=="',
    '"\\u00e9"',
    '"日本"',
    '"\\ud83d"',
    '"<&>"',
    '"ABAB"',
    '"\\u0000"',
    '"\\x"',
  ],
  ...['[]', '[1]', '[1,-0,300]', '[null]', '["a"]', '[[]]', '{}', '{"a":1}', '{"type":"x","value":1}', '[1,]', '{a:1}'],
  ...[
    '"2026-11-21T00:23:47Z"',
    '"2026-11-21T00:23:47.5Z"',
    '"2026-02-30T00:23:47Z"',
    '"2026-11-21T0:23:47Z"',
    '"T\\u005aZ"',
  ],
  ...[
    '"asc"',
    '"desc"',
    '"tx.height>1"',
    '"tm.event = \'Tx\'"',
    '"tm.event = \'NewBlock\' AND a.b = 1"',
    '"block.height EXISTS"',
  ],
] as const

const URI_VALUES = [
  '0x',
  '0X',
  '0xAB',
  '0xzz',
  '%',
  '%zz',
  '%20',
  '+',
  '%2B5',
  ';',
  '%00',
  '%ff',
  '"%ff"',
  '"',
  'A',
  'null%20',
] as const

const CHARS = [...'{}[]",:\\ \tnull0123x\'=<>&%.+-_TAND é日\u0001'] as const

const ARGUMENTS = [
  ...['height', 'hash', 'tx', 'data', 'path', 'prove', 'query', 'page', 'per_page', 'order_by', 'limit', 'minHeight'],
  ...['maxHeight', 'chunk', 'evidence', 'id', 'method', 'params', 'jsonrpc'],
] as const

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'get', 'PATCH'] as const

const HEADERS = [
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Accept-Encoding', 'gzip'],
  ['Accept', 'application/json'],
  ['Origin', 'http://localhost:26657'],
  ['Connection', 'close'],
  ['Cookie', 'a=b'],
  ['Range', 'bytes=0-1'],
] as const

/**
 * Opcodes of WebSocket frames: text, binary, the three kinds of control frames, and others. Opcodes that occur more
 * than once are chosen more often.
 */
const OPCODES = [1, 1, 2, 8, 8, 8, 9, 10, 0, 3, 11] as const

const PATH_STARTS = ['//', '/./', '/../', '/websocket/', '/a/../', '/%2F', '/'] as const

function replaceToken(text: string, random: RandomSource, make: (old: string) => string): string {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return text + make('')
  const { at, text: old } = random.pick(tokens)
  return text.slice(0, at) + make(old) + text.slice(at + old.length)
}

const inQuotes = (value: string): string => `"${value}"`

type Mutation = (text: string, random: RandomSource, other: string) => string

const MUTATIONS: readonly Mutation[] = [
  (text, random) => replaceToken(text, random, () => random.pick(VALUES)),
  (text, random) => replaceToken(text, random, () => random.pick(VALUES)),
  (text, random) =>
    replaceToken(text, random, (old) => (old.startsWith('"') ? inQuotes : String)(random.pick(ARGUMENTS))),
  // Replaces a name or value by one from another request.
  (text, random, other) =>
    replaceToken(text, random, (old) => random.pick([...tokensOf(other).map((one) => one.text), old])),
  (text, random) => replaceToken(text, random, (old) => (old.startsWith('"') ? old.slice(1, -1) : inQuotes(old))),
  // Adds, removes or replaces one character.
  (text, random) => {
    const at = random.below(text.length + 1)
    const kind = random.below(3)
    return text.slice(0, at) + (kind === 0 ? '' : random.pick(CHARS)) + text.slice(kind === 1 ? at : at + 1)
  },
  // Repeats a piece of the text at another place.
  (text, random) => {
    const from = random.below(text.length + 1)
    const piece = text.slice(from, from + 1 + random.below(24))
    const to = random.below(text.length + 1)
    return text.slice(0, to) + piece + text.slice(to)
  },
  (text, random) => {
    const from = random.below(text.length + 1)
    return text.slice(0, from) + text.slice(from + 1 + random.below(12))
  },
]

function mutateText(text: string, random: RandomSource, other: string): string {
  let result = text
  for (let times = 1 << random.below(3); times > 0; times--) result = random.pick(MUTATIONS)(result, random, other)
  return result
}

/**
 * Returns a path without line breaks and blanks, because a path with them would end the request line and begin
 * another request.
 */
const asTarget = (path: string): string =>
  `/${path.replace(/^\//, '')}`.replace(/[^\u0021-\uffff]|[#<>]/g, (char) => encodeURIComponent(char))

function mutatePath(path: string, random: RandomSource, other: string): string {
  const choice = random.below(10)
  if (choice === 0) return asTarget(random.pick(PATH_STARTS) + path.slice(1))
  const mark = path.includes('?') ? '&' : '?'
  if (choice === 1) return asTarget(`${path}${mark}${random.pick(ARGUMENTS)}=${random.pick(URI_VALUES)}`)
  if (choice <= 3) return asTarget(`${path}${mark}${random.pick(ARGUMENTS)}=${random.pick(VALUES)}`)
  if (choice === 4) return asTarget(path.replace(/=[^&]*/, () => `=${random.pick(URI_VALUES)}`))
  return asTarget(mutateText(path, random, other))
}

/** Returns the main text of a request: its first WebSocket message, its body or its path. */
function textOf({ request }: Exchange): string {
  const text = request.frames?.[0] ?? request.body ?? request.path ?? ''
  return typeof text === 'string' ? text : ''
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }

function posted(body: string, request: Request): Request {
  return { method: request.method ?? 'POST', path: request.path ?? '/', headers: request.headers ?? JSON_HEADERS, body }
}

function closePayload(random: RandomSource): string | { readonly base64: string } {
  const code = random.pick([1000, 1001, 1002, 1003, 1005, 1006, 1011, 1015, 999, 3000, 4999, 5000, 0])
  const reason = random.pick(['', 'bye', 'é', '\u0001', 'x'.repeat(130)])
  const bytes = Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)])
  return { base64: bytes.subarray(0, random.pick([0, 1, 2, 3, 200])).toString('base64') }
}

function viaWebSocket(frames: readonly string[], random: RandomSource): Request {
  if (random.below(40) > 0) return { frames }
  const opcode = random.pick(OPCODES)
  if (opcode === 8) return { frames: [closePayload(random)], opcode, fresh: true }
  return { frames, opcode, fresh: true }
}

/** Makes a request from `seed` by random changes. A change may insert a piece of `other`. */
export function mutateRequest(seed: Exchange, other: Exchange, random: RandomSource): Exchange {
  const made = { id: 'fuzz', run: 'fuzz', response: {} }
  const text = textOf(seed)
  const isJson = seed.transport === 'ws' || (typeof seed.request.body === 'string' && seed.request.body !== '')
  if (!isJson) {
    const { headers, method } = seed.request
    const path = random.below(12) === 0 ? asTarget(text) : mutatePath(text, random, textOf(other))
    const more = random.below(20) === 0 ? Object.fromEntries([random.pick(HEADERS)]) : {}
    const verb = random.below(20) === 0 ? random.pick(METHODS) : (method ?? 'GET')
    return { ...made, transport: 'uri', request: { method: verb, path, headers: { ...headers, ...more } } }
  }
  const body = random.below(12) === 0 ? text : mutateText(text, random, textOf(other))
  const batch = random.below(25) === 0 ? `[${body},${mutateText(textOf(other), random, text)}]` : body
  const isWebSocket = random.below(8) === 0 ? seed.transport !== 'ws' : seed.transport === 'ws'
  if (isWebSocket) return { ...made, transport: 'ws', request: viaWebSocket([batch], random) }
  const request = posted(batch, seed.request)
  if (random.below(40) > 0) return { ...made, transport: 'jsonrpc', request }
  const path = mutatePath(request.path ?? '/', random, '/')
  return { ...made, transport: 'jsonrpc', request: { ...request, method: random.pick(METHODS), path } }
}
