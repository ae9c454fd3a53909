import { bytesToUtf8 } from '@org/types/bytes'
import { compileQuery, parseQuery as parseEventQuery } from '../../../../../packages/engine/src/events/query/index.ts'
import { argumentsOfJson, argumentsOfUri } from '../../../../../packages/rpc/src/call/arguments.ts'
import { createFrameReader } from '../../../../../packages/rpc/src/grpc/frame.ts'
import { RequestBroadcastTx } from '../../../../../packages/rpc/src/grpc/messages.ts'
import { unmarshalFault } from '../../../../../packages/rpc/src/grpc/unmarshal-fault.ts'
import { createHeadParser } from '../../../../../packages/rpc/src/http/head-cache.ts'
import { RequestReader } from '../../../../../packages/rpc/src/http/request-reader.ts'
import { parseQuery, parseTarget } from '../../../../../packages/rpc/src/http/request-target.ts'
import { parseBody } from '../../../../../packages/rpc/src/json/body.ts'
import { binaryOf } from '../../../../../packages/rpc/src/json/index.ts'
import { acceptedEncoding } from '../../../../../packages/rpc/src/middleware/compression.ts'
import { createCors } from '../../../../../packages/rpc/src/middleware/cors.ts'
import { ROUTES } from '../../../../../packages/rpc/src/operations/table.ts'
import { chosenProfile } from '../../../../../packages/rpc/src/profiles/choose.ts'
import type { Door, Shape } from '../door.ts'
import { listOf, nest, runOf } from '../shapes.ts'
import { FORM_DOORS } from './forms.ts'
import { grpcServer } from './grpc.ts'
import { serve } from './serve.ts'

const MIB = 1024 * 1024
const routes = new Map(Object.values(ROUTES).map((route) => [route.name as string, route]))
const cors = createCors({
  origins: ['https://*.example.org'],
  methods: ['GET', 'POST'],
  headers: ['Origin', 'Accept', 'Content-Type'],
})

/** Reads requests as a connection does, in pieces of `piece` bytes. */
function readRequests(input: Uint8Array, piece: number): unknown {
  const reader = new RequestReader({ maxHeaderBytes: MIB, maxBodyBytes: 1_000_000 }, createHeadParser())
  for (let at = 0; at < input.length; at += piece) {
    reader.append(Buffer.from(input.buffer, input.byteOffset + at, Math.min(piece, input.length - at)))
    for (let reading = reader.next(); reading !== undefined; reading = reader.next()) {
      if (reading.kind === 'body-refused') return reading
      if (reading.kind !== 'request') continue
      const { head, body } = reading
      acceptedEncoding(head.headers.get('accept-encoding'))
      chosenProfile(head, '')
      cors.preflight({ ...head, body, path: '/', query: '' } as never)
    }
  }
  return reader
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n'
const POST = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
const END = '\r\n\r\n'

const httpHead: Door = {
  name: 'HTTP head',
  where: 'rpc/src/http/request-reader.ts',
  limit: MIB,
  costs: { nsPerByte: 150, heldPerByte: 24 },
  open: () => ({ take: (input) => readRequests(input, 16_384) }),
  shapes: {
    'blanks inside a value': runOf(' ', `${GET}X: a`, `b${END}`),
    'tabs at the end of a value': runOf('\t', `${GET}X: a`, END),
    'blanks in a name': runOf(' ', `${GET}X`, `: a${END}`),
    'many headers': listOf((i) => `h${i}: 1\r\n`, GET, '\r\n'),
    'one header many times': runOf('A: 1\r\n', GET, '\r\n'),
    'folded lines': runOf(' a\r\n', `${GET}X: y\r\n`, '\r\n'),
    'empty lines': runOf('\r\n', '', GET + END),
    'lines without a colon': runOf('a\n', GET, END),
    'connection tokens': runOf('Connection: close\r\n', GET, '\r\n'),
    lengths: runOf('Content-Length: 0\r\n', GET, '\r\n'),
    codings: runOf('gzip;q=0.1,', `${GET}Accept-Encoding: `, END),
    'different codings': listOf((i) => `x${i};q=0.1,`, `${GET}Accept-Encoding: `, END),
    'media ranges': runOf('application/json;profile,', `${GET}Accept: `, END),
    'parameters of a media range': runOf(';profile =', `${GET}Accept: application/json`, END),
    'headers that are asked for': runOf(
      ',a',
      'OPTIONS / HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example.org\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: a',
      END,
    ),
    'a long target': runOf('%20', 'GET /', ` HTTP/1.1\r\nHost: a${END}`),
    'a long method': runOf('A', '', ' / HTTP/1.1\r\n\r\n'),
    'pipelined requests': runOf(`${GET}\r\n`),
    'carriage returns': runOf('\r', GET, END),
  },
}

const httpPieces: Door = {
  name: 'HTTP head in small pieces',
  where: 'rpc/src/http/input.ts',
  limit: 64 * 1024,
  costs: { nsPerByte: 1500, heldPerByte: 24 },
  open: () => ({ take: (input) => readRequests(input, 3) }),
  shapes: {
    'one long line': runOf('a', `${GET}X: `, END),
    newlines: runOf('a:b\n', GET, END),
    chunks: runOf('1\r\na\r\n', POST, '0\r\n\r\n'),
  },
}

const chunks: Door = {
  name: 'chunked body',
  where: 'rpc/src/http/chunked.ts',
  limit: 1_000_000,
  costs: { nsPerByte: 150, heldPerByte: 24 },
  open: () => ({ take: (input) => readRequests(input, 16_384) }),
  shapes: {
    'chunks of one byte': runOf('1\r\na\r\n', POST, '0\r\n\r\n'),
    'long extensions': runOf(`1;${'a'.repeat(4000)}\r\na\r\n`, POST, '0\r\n\r\n'),
    'blanks behind sizes': runOf(`1${' '.repeat(4000)}\r\na\r\n`, POST, '0\r\n\r\n'),
    'blanks inside a size': runOf(' ', `${POST}1`, '1\r\n'),
    trailers: runOf('a: b\r\n', `${POST}0\r\n`, '\r\n'),
  },
}

/** A complete gRPC message that repeats `unit`. */
function grpcRunOf(unit: string, end = ''): Shape {
  const make = runOf(unit, '\0\0\0\0\0', end)
  return (size) => {
    const bytes = make(size)
    new DataView(bytes.buffer).setUint32(1, bytes.length - 5)
    return bytes
  }
}

/** Reads a message of a call in pieces of `piece` bytes. */
function readGrpcMessage(input: Uint8Array, piece: number): unknown {
  const reader = createFrameReader(4 * MIB, undefined)
  for (let at = 0; at < input.length; at += piece) {
    const read = reader.push(input.subarray(at, at + piece))
    if (read.kind === 'message') return readBroadcastTx(read.bytes)
    if (read.kind === 'bad') return read
  }
  return reader
}

/** A message that is refused is read a second time, for the words of the error. */
function readBroadcastTx(bytes: Uint8Array): unknown {
  try {
    return RequestBroadcastTx.decode(bytes)
  } catch {
    return unmarshalFault(bytes, { message: 'RequestBroadcastTx', field: 'Tx' })
  }
}

const grpcMessage: Door = {
  name: 'gRPC message',
  where: 'rpc/src/grpc/frame.ts',
  limit: 4 * MIB,
  costs: { nsPerByte: 400, heldPerByte: 24 },
  open: () => ({ take: (input) => readGrpcMessage(input, 3) }),
  shapes: {
    'a message that does not end': runOf('a', '\0\0\x40\0\0'),
    'a field many times': grpcRunOf('\n\x01a'),
    'empty fields': grpcRunOf('\n\0'),
    'unknown fields': grpcRunOf('\x10\x01'),
    'unknown fields and a fault': grpcRunOf('\x10\x01', '\x0f'),
    'groups that do not end': grpcRunOf('\x13'),
  },
}

function readTarget(input: Uint8Array): unknown {
  const target = parseTarget('GET', binaryOf(input))
  if (target.kind !== 'path') return target
  const route = routes.get(target.path.slice(1))
  const values = parseQuery(target.query, route?.paramNames ?? [])
  return route === undefined ? values : argumentsOfUri(route, (name) => values.get(name) ?? '', false)
}

const uri: Door = {
  name: 'URI',
  where: 'rpc/src/http/request-target.ts',
  limit: MIB,
  costs: { nsPerByte: 300, heldPerByte: 60 },
  open: () => ({ take: readTarget }),
  shapes: {
    parameters: listOf((i) => `a${i}&`, '/status?'),
    'empty parameters': runOf('&', '/status?'),
    'one parameter many times': runOf('height=1&', '/block?'),
    escapes: runOf('%41', '/abci_query?data="', '"'),
    'broken escapes': runOf('%', '/abci_query?data='),
    'plus signs': runOf('+', '/abci_query?data='),
    digits: runOf('9', '/block?height='),
    'hex digits': runOf('ff', '/tx?hash=0x'),
    'a long text': runOf('a', '/tx_search?query="', '"'),
    'escapes in a text': runOf('\\u0041', '/tx_search?query="', '"'),
    'parts of a path': runOf('/a'),
    'parts that lead up': runOf('/../a'),
    slashes: runOf('/'),
    'a list': runOf('"a",', '/dial_peers?peers=["a",', '"a"]'),
    'nested lists': nest(['[', ']'], '/dial_peers?peers='),
    'a host with at signs': runOf('@', 'http://', '/a'),
  },
}

function readBody(input: Uint8Array): unknown {
  const body = parseBody(input, 10)
  const requests = body.kind === 'batch' ? body.requests : body.kind === 'single' ? [body.request] : []
  const args: unknown[] = []
  for (const { method, params } of requests) {
    const route = routes.get(method)
    if (route !== undefined) args.push(argumentsOfJson(route, params, false))
  }
  return [body, args]
}

const call = (method: string): string => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":`

const json: Door = {
  name: 'JSON body',
  where: 'rpc/src/json/body.ts',
  limit: 1_000_000,
  costs: { nsPerByte: 400, heldPerByte: 80 },
  open: () => ({ take: readBody }),
  shapes: {
    keys: listOf((i) => `"a${i}":0,`, '{', '"z":1}'),
    'keys of one letter': runOf('"K":0,', '{', '"z":1}'),
    'empty keys': runOf('"":0,', '{', '"z":1}'),
    'method many times': runOf('"METHOD":"a",', '{', '"id":1}'),
    parameters: listOf((i) => `"a${i}":0,`, `${call('block')}{`, '"z":1}}'),
    'nested lists': nest(['[', ']'], call('health'), '}'),
    'nested objects': nest(['{"a":', '}'], `${call('health')}{"a":`, '}'),
    'open lists': runOf('['),
    blanks: runOf(' ', '{', '}'),
    'quotes that are escaped': runOf('\\"', `${call('tx_search')}{"query":"`, '"}}'),
    backslashes: runOf('\\\\', `${call('tx_search')}{"query":"`, '"}}'),
    escapes: runOf('\\ud800', `${call('tx_search')}{"query":"`, '"}}'),
    'bad UTF-8': runOf([0xff], `${call('tx_search')}{"query":"`, '"}}'),
    digits: runOf('9', `${call('block')}{"height":"`, '"}}'),
    'a long number': runOf('9', `${call('block')}{"height":`, '}}'),
    'a long id': runOf('9', '{"id":', '}'),
    base64: runOf('AAAA', `${call('broadcast_tx_sync')}{"tx":"`, '"}}'),
    'numbers in a list': runOf('1,', `${call('broadcast_tx_sync')}{"tx":[`, '1]}}'),
    'a batch': runOf('{},', '[', '{}]'),
    'a batch of calls': runOf('{"method":"health","id":1},', '[', '{}]'),
    'items by position': runOf('1,', `${call('block')}[`, '1]}'),
    evidence: runOf(
      '{"a":[]},',
      `${call('broadcast_evidence')}{"evidence":{"type":"tendermint/DuplicateVoteEvidence","value":{"x":[`,
      '{}]}}}}',
    ),
  },
}

const queries: Door = {
  name: 'query language',
  where: 'engine/src/events/query/parser.ts',
  limit: 1_000_000,
  costs: { nsPerByte: 500, heldPerByte: 80 },
  open: () => ({
    take: (input) => {
      const query = parseEventQuery(bytesToUtf8(input))
      const matches = compileQuery(query)
      return [matches({ 'a.b': ['1', 'x'], 'tm.event': ['Tx'] }), matches, query]
    },
  }),
  shapes: {
    conditions: runOf('a.b=1 AND ', '', 'a.b=1'),
    digits: runOf('9', 'a.b>'),
    'digits behind the point': runOf('9', 'a.b=1.'),
    'a long text': runOf('a', "a.b='", "'"),
    'a long name': runOf('a.', '', '=1'),
    blanks: runOf(' ', 'a.b', '=1'),
    'an exponent': (size) => runOf('9', 'a.b=1e')(Math.min(size, 1_000_000)),
    'wide letters': runOf([0xc3, 0xa9], "a.b='", "'"),
    'bad UTF-8': runOf([0xff], "a.b='", "'"),
  },
}

const eventValues: Door = {
  name: 'event value against a query',
  where: 'engine/src/events/query/match.ts',
  limit: MIB,
  costs: { nsPerByte: 200, heldPerByte: 24 },
  open: () => {
    const tests = [
      'a.b > 5',
      'a.b = 1.5',
      "a.b CONTAINS 'x'",
      'a.b > TIME 2020-01-01T00:00:00Z',
      'a.b < DATE 2020-01-01',
    ].map((text) => compileQuery(parseEventQuery(text)))
    return { take: (input) => tests.map((matches) => matches({ 'a.b': [bytesToUtf8(input)] })) }
  },
  shapes: {
    digits: runOf('9'),
    'digits behind the point': runOf('9', '1.'),
    zeros: runOf('0', '', '1'),
    'an exponent': runOf('9', '1e'),
    text: runOf('a'),
    'a time': runOf('9', '2020-01-01T00:00:00.', 'Z'),
  },
}

// A node on loopback refuses foreign host names before it reads anything else.
const UPGRADE =
  'GET /websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

/** A frame that the client has masked with zeros. */
function frame(head: number, content: string): Uint8Array {
  const body = Buffer.from(content, 'latin1')
  const length = body.length < 126 ? [0x80 | body.length] : [0xfe, body.length >> 8, body.length & 255]
  return new Uint8Array(Buffer.concat([Buffer.from([head, ...length, 0, 0, 0, 0]), body]))
}

/** Conditions of a query, with which it is a little shorter than the limit of 512 bytes. */
const CONDITIONS = 'a.b=1 AND '.repeat(48)

const LAST = Buffer.from(frame(0x81, '{"jsonrpc":"2.0","id":"last","method":"health"}')).toString('latin1')

const webSocket: Door = {
  name: 'WebSocket frames',
  where: 'rpc/src/websocket/websocket.ts',
  limit: MIB,
  costs: { nsPerByte: 8000, heldPerByte: 24 },
  open: () => serve('"last"'),
  shapes: {
    'empty fragments': runOf(
      frame(0x00, ''),
      Buffer.concat([Buffer.from(UPGRADE), frame(0x01, '{')]),
      Buffer.concat([frame(0x80, '}'), Buffer.from(LAST, 'latin1')]),
    ),
    'fragments of one byte': runOf(
      frame(0x00, ' '),
      Buffer.concat([Buffer.from(UPGRADE), frame(0x01, '{')]),
      Buffer.concat([frame(0x80, '}'), Buffer.from(LAST, 'latin1')]),
    ),
    pings: runOf(frame(0x89, ''), UPGRADE, LAST),
    'empty messages': runOf(frame(0x81, ''), UPGRADE, LAST),
    calls: runOf(frame(0x81, '{"id":1,"method":"health"}'), UPGRADE, LAST),
    notifications: runOf(frame(0x81, '{"method":"health"}'), UPGRADE, LAST),
    'subscriptions with different queries': listOf(
      (i) => binaryOf(frame(0x81, `{"id":1,"method":"subscribe","params":{"query":"${CONDITIONS}a.b=${i}"}}`)),
      UPGRADE,
      LAST,
    ),
    'subscriptions with broken queries': runOf(
      frame(0x81, `{"id":1,"method":"subscribe","params":{"query":"${CONDITIONS}"}}`),
      UPGRADE,
      LAST,
    ),
    'ends of unknown subscriptions': listOf(
      (i) => binaryOf(frame(0x81, `{"id":1,"method":"unsubscribe","params":{"query":"${CONDITIONS}a.b=${i}"}}`)),
      UPGRADE,
      LAST,
    ),
    'broken JSON': runOf(frame(0x81, '{'), UPGRADE, LAST),
  },
}

const LAST_REQUEST = 'GET /LAST HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'

const server: Door = {
  name: 'HTTP server',
  where: 'rpc/src/transports/handler.ts',
  limit: MIB,
  costs: { nsPerByte: 3000, heldPerByte: 24 },
  open: () => serve('LAST'),
  shapes: {
    requests: runOf(
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      '',
      'GET /LAST HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ),
    'unknown paths': runOf(
      'GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      '',
      'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ),
    'blanks in a header': runOf(
      ' ',
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a',
      'b\r\nConnection: close\r\n\r\n',
    ),
    headers: listOf((i) => `h${i}: 1\r\n`, 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n', '\r\n'),
  },
}

/** Searches, one after the other on one connection. */
const searches = (target: (i: number) => string): Shape =>
  listOf((i) => `GET ${target(i)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, '', LAST_REQUEST)
/** Makes queries differ between inputs: the node keeps the results of a query. */
let nextQuery = 0
const LONG_QUERY = 'a.b=1%20AND%20'.repeat(30)

const search: Door = {
  name: 'searches',
  where: 'engine/src/indexer/search/search.ts',
  limit: 256 * 1024,
  // A short request may have a long answer: 60 results of an empty block take most of the time and memory.
  costs: { nsPerByte: 20_000, heldPerByte: 600 },
  open: () => serve('LAST'),
  shapes: {
    transactions: searches((i) => `/tx_search?query="a.b=${i}"`),
    blocks: searches((i) => `/block_search?query="a.b=${i}"`),
    'transactions, with long queries': searches((i) => `/tx_search?query="${LONG_QUERY}a.b=${i}"`),
    'blocks, with long queries': searches((i) => `/block_search?query="${LONG_QUERY}a.b=${i}"`),
    '60 results': searches(() => `/tx_search?query="a.b=1%20AND%20tx.height<${100 + nextQuery++}"&per_page=100`),
    'broken queries': searches(() => `/tx_search?query="${LONG_QUERY}"`),
  },
}

/** A POST with this body, and a request that ends the connection. */
const post = (body: Shape): Shape => {
  return (size) => {
    const bytes = body(size)
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${bytes.length}\r\n\r\n`
    return new Uint8Array(Buffer.concat([Buffer.from(head), bytes, Buffer.from(LAST_REQUEST)]))
  }
}

const EVIDENCE = `${call('broadcast_evidence')}{"evidence":{"type":`
const VALIDATOR = JSON.stringify({
  address: '00'.repeat(20),
  pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.alloc(32).toString('base64') },
  voting_power: '1',
  proposer_priority: '0',
})

/** Evidence of an attack on light clients, with a member that grows. */
const attack = (before: string, unit: string, after: string): Shape =>
  runOf(unit, `${EVIDENCE}"tendermint/LightClientAttackEvidence","value":{${before}`, `${after}}}}}`)

const largeRequests: Door = {
  name: 'large requests',
  where: 'rpc/src/json/body.ts',
  limit: 999_000,
  costs: { nsPerByte: 100, heldPerByte: 40, turnMs: 100 },
  open: () => serve('LAST'),
  shapes: {
    'a query of blocks': post(runOf('a.b=1 AND ', `${call('block_search')}{"query":"`, 'a.b=1"}}')),
    'a query of transactions': post(runOf('a.b=1 AND ', `${call('tx_search')}{"query":"`, 'a.b=1"}}')),
    'a number in a query': post(runOf('9', `${call('tx_search')}{"query":"a.b>`, '"}}')),
    'keys of a request': post(listOf((i) => `"a${i}":0,`, '{', '"z":1}')),
    'keys of one letter': post(runOf('"K":0,', '{', '"z":1}')),
    'parameters of a call': post(listOf((i) => `"a${i}":0,`, `${call('block')}{`, '"z":1}}')),
    'items of a batch': post(runOf('{},', '[', '{}]')),
    'nested lists': post(nest(['[', ']'], call('health'), '}')),
    'a transaction': post(runOf('AAAA', `${call('check_tx')}{"tx":"`, '"}}')),
    'bytes as a list': post(runOf('1,', `${call('check_tx')}{"tx":[`, '1]}}')),
    'a number with many digits': post(runOf('9', `${call('block')}{"height":`, '9}}')),
    'a number with a long exponent': post(runOf('9', `${call('block')}{"height":1e`, '9}}')),
    'a number with a long fraction': post(runOf('9', `${call('block')}{"height":0.`, '9}}')),
    'a list in place of a number': post(runOf('1,', `${call('block')}{"height":[`, '1]}}')),
    'a long text in place of a number': post(runOf('a', `${call('block')}{"height":"`, '"}}')),
    'signatures of evidence': post(
      attack('"ConflictingBlock":{"signed_header":{"commit":{"signatures":[', '{},', '{}]}}}'),
    ),
    'validators of evidence': post(attack('"ConflictingBlock":{"validator_set":{"validators":[', '{},', '{}]}}')),
    'validators that are null': post(attack('"ByzantineValidators":[', 'null,', 'null]')),
    'byzantine validators': post(attack('"ByzantineValidators":[', '{},', '{}]')),
    'whole validators of evidence': post(attack('"ByzantineValidators":[', `${VALIDATOR},`, `${VALIDATOR}]`)),
    'bytes of evidence as a list': post(
      attack('"ByzantineValidators":[{"pub_key":{"type":"tendermint/PubKeyEd25519","value":[', '1,', '1]}}]'),
    ),
    'unknown members of a vote': post(
      listOf((i) => `"a${i}":0,`, `${EVIDENCE}"tendermint/DuplicateVoteEvidence","value":{`, '"z":1}}}}'),
    ),
    'many headers': listOf((i) => `h${i}: 1\r\n`, 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n', `\r\n${LAST_REQUEST}`),
    'different codings': listOf(
      (i) => `x${i};q=0.1,`,
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: ',
      `\r\n\r\n${LAST_REQUEST}`,
    ),
  },
}

/** Requests for events, one after the other on one connection; none waits for new events. */
const eventRequests = (parameters: string, headers = ''): Shape =>
  runOf(`GET /events?wait=0&${parameters} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`, '', LAST_REQUEST)
const eventRequest = (unit: string, before: string, after = ''): Shape =>
  runOf(unit, `GET /events?wait=0&${before}`, `${after} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${LAST_REQUEST}`)

const eventsByHttp: Door = {
  name: 'events by HTTP',
  where: 'rpc/src/sse/events-route.ts',
  limit: MIB,
  costs: { nsPerByte: 3000, heldPerByte: 24 },
  open: () => serve('LAST'),
  shapes: {
    'a long place': eventRequest('9', "query=tm.event='Tx'&after="),
    'a long chain of a place': eventRequest('a', "query=tm.event='Tx'&after=1@"),
    'a long query': eventRequest('a.b=1%20AND%20', 'query=', 'a.b=1'),
    parameters: eventRequest('a=1&', ''),
    'broken places': eventRequests("query=tm.event='Tx'&after=x"),
    'places that are to come': eventRequests("query=tm.event='Tx'&after=999999"),
    'broken queries': eventRequests('query=a'),
    'queries of 500 bytes': eventRequests(`query=${'a.b=1%20AND%20'.repeat(40)}a.b=1`),
    'limits that are not numbers': eventRequests("query=tm.event='Tx'&limit=x"),
    'streams of broken queries': eventRequests('query=a', 'Accept: text/event-stream\r\n'),
    'all stored events, one after the other': eventRequests("query=tm.event='Tx'&after=0&limit=1"),
  },
}

export const CLIENT_DOORS: readonly Door[] = [
  httpHead,
  httpPieces,
  chunks,
  grpcMessage,
  grpcServer,
  uri,
  json,
  queries,
  eventValues,
  server,
  search,
  largeRequests,
  eventsByHttp,
  webSocket,
  ...FORM_DOORS,
]
