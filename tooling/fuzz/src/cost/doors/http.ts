import { argumentsOfUri } from '../../../../../packages/rpc/src/call/arguments.ts'
import { createHeadParser } from '../../../../../packages/rpc/src/http/head-cache.ts'
import { RequestReader } from '../../../../../packages/rpc/src/http/request-reader.ts'
import { parseQuery, parseTarget } from '../../../../../packages/rpc/src/http/request-target.ts'
import { binaryOf } from '../../../../../packages/rpc/src/json/index.ts'
import { acceptedEncoding } from '../../../../../packages/rpc/src/middleware/compression.ts'
import { createCors } from '../../../../../packages/rpc/src/middleware/cors.ts'
import { ROUTES } from '../../../../../packages/rpc/src/operations/table.ts'
import { chosenProfile } from '../../../../../packages/rpc/src/profiles/choose.ts'
import type { Door } from '../door.ts'
import { listOf, nest, runOf } from '../shapes.ts'

const MIB = 1024 * 1024
const routes = new Map(Object.values(ROUTES).map((route) => [route.name as string, route]))
const cors = createCors({
  origins: ['https://*.example.org'],
  methods: ['GET', 'POST'],
  headers: ['Origin', 'Accept', 'Content-Type'],
})

/** Reads requests from an input that arrives in pieces of `piece` bytes, as the server reads them from a connection. */
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
  open: () => ({ read: (input) => readRequests(input, 16_384) }),
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
    'headers that a preflight names': runOf(
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
  open: () => ({ read: (input) => readRequests(input, 3) }),
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
  open: () => ({ read: (input) => readRequests(input, 16_384) }),
  shapes: {
    'chunks of one byte': runOf('1\r\na\r\n', POST, '0\r\n\r\n'),
    'long extensions': runOf(`1;${'a'.repeat(4000)}\r\na\r\n`, POST, '0\r\n\r\n'),
    'blanks behind sizes': runOf(`1${' '.repeat(4000)}\r\na\r\n`, POST, '0\r\n\r\n'),
    'blanks inside a size': runOf(' ', `${POST}1`, '1\r\n'),
    trailers: runOf('a: b\r\n', `${POST}0\r\n`, '\r\n'),
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
  open: () => ({ read: readTarget }),
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
    'segments of a path': runOf('/a'),
    'segments ..': runOf('/../a'),
    slashes: runOf('/'),
    'a list': runOf('"a",', '/dial_peers?peers=["a",', '"a"]'),
    'nested lists': nest(['[', ']'], '/dial_peers?peers='),
    'a host with at signs': runOf('@', 'http://', '/a'),
  },
}

/** The doors for the parts of an HTTP request: its head, its body and its target. */
export const HTTP_DOORS: readonly Door[] = [httpHead, httpPieces, chunks, uri]
