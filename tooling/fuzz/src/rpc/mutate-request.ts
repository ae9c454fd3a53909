import type { Exchange } from '@org/golden'
import type { Dice } from '../decode/dice.ts'
import { tokensOf } from './tokens.ts'

type Request = Exchange['request']

/** JSON values that are unusual or at the limit of what an argument may have. */
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

function replaceToken(text: string, dice: Dice, make: (old: string) => string): string {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return text + make('')
  const { at, text: old } = dice.of(tokens)
  return text.slice(0, at) + make(old) + text.slice(at + old.length)
}

const inQuotes = (value: string): string => `"${value}"`

type Mutation = (text: string, dice: Dice, other: string) => string

const MUTATIONS: readonly Mutation[] = [
  (text, dice) => replaceToken(text, dice, () => dice.of(VALUES)),
  (text, dice) => replaceToken(text, dice, () => dice.of(VALUES)),
  (text, dice) => replaceToken(text, dice, (old) => (old.startsWith('"') ? inQuotes : String)(dice.of(ARGUMENTS))),
  // Replaces a name or value by one from another request.
  (text, dice, other) => replaceToken(text, dice, (old) => dice.of([...tokensOf(other).map((one) => one.text), old])),
  (text, dice) => replaceToken(text, dice, (old) => (old.startsWith('"') ? old.slice(1, -1) : inQuotes(old))),
  // Adds, removes or replaces one character.
  (text, dice) => {
    const at = dice.below(text.length + 1)
    const kind = dice.below(3)
    return text.slice(0, at) + (kind === 0 ? '' : dice.of(CHARS)) + text.slice(kind === 1 ? at : at + 1)
  },
  // Repeats a piece of the text at another place.
  (text, dice) => {
    const from = dice.below(text.length + 1)
    const piece = text.slice(from, from + 1 + dice.below(24))
    const to = dice.below(text.length + 1)
    return text.slice(0, to) + piece + text.slice(to)
  },
  (text, dice) => {
    const from = dice.below(text.length + 1)
    return text.slice(0, from) + text.slice(from + 1 + dice.below(12))
  },
]

function mutateText(text: string, dice: Dice, other: string): string {
  let result = text
  for (let times = 1 << dice.below(3); times > 0; times--) result = dice.of(MUTATIONS)(result, dice, other)
  return result
}

/**
 * Returns a path without line breaks and blanks, because a path with them would end the request line and begin
 * another request.
 */
const asTarget = (path: string): string =>
  `/${path.replace(/^\//, '')}`.replace(/[^\u0021-\uffff]|[#<>]/g, (char) => encodeURIComponent(char))

function mutatePath(path: string, dice: Dice, other: string): string {
  const choice = dice.below(10)
  if (choice === 0) return asTarget(dice.of(PATH_STARTS) + path.slice(1))
  const mark = path.includes('?') ? '&' : '?'
  if (choice === 1) return asTarget(`${path}${mark}${dice.of(ARGUMENTS)}=${dice.of(URI_VALUES)}`)
  if (choice <= 3) return asTarget(`${path}${mark}${dice.of(ARGUMENTS)}=${dice.of(VALUES)}`)
  if (choice === 4) return asTarget(path.replace(/=[^&]*/, () => `=${dice.of(URI_VALUES)}`))
  return asTarget(mutateText(path, dice, other))
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

function closePayload(dice: Dice): string | { readonly base64: string } {
  const code = dice.of([1000, 1001, 1002, 1003, 1005, 1006, 1011, 1015, 999, 3000, 4999, 5000, 0])
  const reason = dice.of(['', 'bye', 'é', '\u0001', 'x'.repeat(130)])
  const bytes = Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)])
  return { base64: bytes.subarray(0, dice.of([0, 1, 2, 3, 200])).toString('base64') }
}

function viaWebSocket(frames: readonly string[], dice: Dice): Request {
  if (dice.below(40) > 0) return { frames }
  const opcode = dice.of(OPCODES)
  if (opcode === 8) return { frames: [closePayload(dice)], opcode, fresh: true }
  return { frames, opcode, fresh: true }
}

/** Makes a request from `seed` by random changes. A change may insert a piece of `other`. */
export function mutateRequest(seed: Exchange, other: Exchange, dice: Dice): Exchange {
  const made = { id: 'fuzz', run: 'fuzz', response: {} }
  const text = textOf(seed)
  const isJson = seed.transport === 'ws' || (typeof seed.request.body === 'string' && seed.request.body !== '')
  if (!isJson) {
    const { headers, method } = seed.request
    const path = dice.below(12) === 0 ? asTarget(text) : mutatePath(text, dice, textOf(other))
    const more = dice.below(20) === 0 ? Object.fromEntries([dice.of(HEADERS)]) : {}
    const verb = dice.below(20) === 0 ? dice.of(METHODS) : (method ?? 'GET')
    return { ...made, transport: 'uri', request: { method: verb, path, headers: { ...headers, ...more } } }
  }
  const body = dice.below(12) === 0 ? text : mutateText(text, dice, textOf(other))
  const batch = dice.below(25) === 0 ? `[${body},${mutateText(textOf(other), dice, text)}]` : body
  const isWebSocket = dice.below(8) === 0 ? seed.transport !== 'ws' : seed.transport === 'ws'
  if (isWebSocket) return { ...made, transport: 'ws', request: viaWebSocket([batch], dice) }
  const request = posted(batch, seed.request)
  if (dice.below(40) > 0) return { ...made, transport: 'jsonrpc', request }
  const path = mutatePath(request.path ?? '/', dice, '/')
  return { ...made, transport: 'jsonrpc', request: { ...request, method: dice.of(METHODS), path } }
}
