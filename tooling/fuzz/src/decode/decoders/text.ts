import { isCodedError } from '@org/runtime'
import { eventDataFromJson, parseGenesis } from '@org/types'
import { base64ToBytes, bytesToUtf8, concatList, equalBytes, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import type { Json } from '@org/types/schema'
import { parseTime } from '@org/types/time'
import { parseValidatorTx } from '../../../../../apps/kvstore/src/rules/validator-tx.ts'
import { createContentCheck } from '../../../../../apps/kvstore/src/snapshots/content-check.ts'
import { decodeMetadata, Metadata } from '../../../../../apps/kvstore/src/snapshots/format.ts'
import { encodePairHead } from '../../../../../apps/kvstore/src/snapshots/pair-head.ts'
import { createPairReader } from '../../../../../apps/kvstore/src/snapshots/pair-reader.ts'
import { resolveConfig } from '../../../../../apps/node/src/config/resolve-config.ts'
import { createFrameParser } from '../../../../../packages/abci/src/framing/frame-parser.ts'
import { scanFile } from '../../../../../packages/engine/src/consensus/wal/scan-file.ts'
import { compileQuery, parseQuery } from '../../../../../packages/engine/src/events/query/index.ts'
import { parseBlockKey, parseTxKey } from '../../../../../packages/engine/src/indexer/keys.ts'
import { loadSignState } from '../../../../../packages/engine/src/privval/sign-state.ts'
import { parseHostPort } from '../../../../../packages/p2p/src/address/net-address.ts'
import { parseAddressBook } from '../../../../../packages/p2p/src/addressbook/text.ts'
import { argumentsOfJson, argumentsOfUri } from '../../../../../packages/rpc/src/call/arguments.ts'
import { createFrameReader } from '../../../../../packages/rpc/src/grpc/frame.ts'
import { RequestBroadcastTx } from '../../../../../packages/rpc/src/grpc/messages.ts'
import { unmarshalFault } from '../../../../../packages/rpc/src/grpc/unmarshal-fault.ts'
import { parseHead } from '../../../../../packages/rpc/src/http/head.ts'
import { RequestReader } from '../../../../../packages/rpc/src/http/request-reader.ts'
import { parseTarget, parseQuery as parseUriQuery } from '../../../../../packages/rpc/src/http/request-target.ts'
import { parseBody } from '../../../../../packages/rpc/src/json/body.ts'
import { binaryOf, JsonSyntaxError, scanFirst } from '../../../../../packages/rpc/src/json/index.ts'
import { requestOf } from '../../../../../packages/rpc/src/json/request.ts'
import { acceptedEncoding } from '../../../../../packages/rpc/src/middleware/compression.ts'
import { evidence } from '../../../../../packages/rpc/src/operations/evidence-param.ts'
import { ROUTES } from '../../../../../packages/rpc/src/operations/table.ts'
import { chosenProfile } from '../../../../../packages/rpc/src/profiles/choose.ts'
import { parseEventPosition } from '../../../../../packages/rpc/src/subscriptions/event-position.ts'
import { type Decoder, RoundTripFault } from '../decoder.ts'
import * as seeds from '../seeds.ts'

const routes = new Map(Object.values(ROUTES).map((route) => [route.name as string, route]))
const { text } = seeds

const JSON_WORDS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  ':',
  ',',
  'null',
  'true',
  '-',
  '1e9',
  '0',
  '\ufffd',
  ' ',
]
const REQUEST_WORDS = [
  '"jsonrpc":"2.0"',
  '"id":',
  '"method":',
  '"params":',
  ...routes.keys(),
  '"height":',
  '"hash":',
  '"query":',
]

function readRequest(bytes: Uint8Array): void {
  const reader = new RequestReader({ maxHeaderBytes: 1 << 20, maxBodyBytes: 1_000_000 }, parseHead)
  reader.append(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  for (let reading = reader.next(); reading !== undefined; reading = reader.next()) {
    if (reading.kind === 'body-refused') return
    if (reading.kind !== 'request') continue
    acceptedEncoding(reading.head.headers.get('accept-encoding'))
    chosenProfile(reading.head, '')
  }
}

/**
 * Checks that the decoder accepts no message that the reference refuses. `unmarshalFault` returns the reference's
 * error for a message.
 */
function readBroadcastTx(bytes: Uint8Array): void {
  const fault = unmarshalFault(bytes, { message: 'RequestBroadcastTx', field: 'Tx' })
  if (fault === undefined) {
    RequestBroadcastTx.decode(bytes)
    return
  }
  try {
    RequestBroadcastTx.decode(bytes)
  } catch {
    return
  }
  throw new RoundTripFault(`the decoder accepts a message that the reference refuses: ${fault}`)
}

function readGrpcMessage(bytes: Uint8Array): void {
  const reader = createFrameReader(1024, 'gzip')
  for (const byte of bytes) {
    const read = reader.push(Uint8Array.of(byte))
    if (read.kind === 'more') continue
    if (read.kind === 'message') readBroadcastTx(read.bytes)
    return
  }
}

function readBody(bytes: Uint8Array): void {
  const body = parseBody(bytes)
  const requests = body.kind === 'batch' ? body.requests : body.kind === 'single' ? [body.request] : []
  for (const { method, params } of requests) {
    const route = routes.get(method)
    if (route === undefined) continue
    for (const strict of [false, true]) argumentsOfJson(route, params, strict)
  }
}

function readTarget(bytes: Uint8Array): void {
  const target = parseTarget('GET', binaryOf(bytes))
  if (target.kind !== 'path') return
  const route = routes.get(target.path.slice(1))
  const values = parseUriQuery(target.query, route?.paramNames ?? [])
  if (route !== undefined) argumentsOfUri(route, (name) => values.get(name) ?? '', false)
}

/**
 * Decodes the bytes as metadata of a snapshot, and as the content of a snapshot. The content is read once as a whole
 * and once in two chunks, which must give the same pairs.
 */
function readSnapshot(bytes: Uint8Array): void {
  decodeMetadata(bytes, sha256(bytes))
  const whole = [...createPairReader().push(bytes)]
  const reader = createPairReader()
  const cut = bytes.length >> 1
  const inPieces = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))]
  const isSame = whole.every(({ key, value }, i) => {
    const other = inPieces[i]
    return other !== undefined && equalBytes(key, other.key) && equalBytes(value, other.value)
  })
  if (!isSame || whole.length !== inPieces.length)
    throw new RoundTripFault('a snapshot that arrives in pieces gives other pairs than the whole snapshot')
  const check = createContentCheck('document')
  for (const pair of whole) check.take(pair)
  check.end({ height: 7, appHash: Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0) })
}

function snapshotSeeds(): readonly Uint8Array[] {
  const pairs = [
    ['halleyMeta', '{"rules":"document","keyTypes":["ed25519"]}'],
    ['kvPairKey:a', 'b'],
    ['stateKey', '{"size":1,"height":7}'],
  ].map((pair) => pair.map(text) as [Uint8Array, Uint8Array])
  const content = concatList(pairs.flatMap(([key, value]) => [encodePairHead(key, value), key, value]))
  const chunkHashes = [sha256(content), sha256(text('other'))]
  return [content, Metadata.encode({ rules: 'document', size: content.length, chunkHashes })]
}

const QUERY_EVENTS = { 'tm.event': ['Tx'], 'app.key': ['a', '7', '2020-01-01'], 'tx.height': ['5', '1e3'] }

function readQuery(bytes: Uint8Array): void {
  const query = parseQuery(bytesToUtf8(bytes))
  compileQuery(query)(QUERY_EVENTS)
  if (parseQuery(query.text).text !== query.text)
    throw new RoundTripFault('the text of a parsed query is parsed as another query')
}

function readText(bytes: Uint8Array): void {
  const value = bytesToUtf8(bytes)
  if (!equalBytes(utf8ToBytes(value), bytes))
    throw new RoundTripFault('decoded and encoded again, the text gives other bytes')
  base64ToBytes(value)
  hexToBytes(value)
  parseTime(value)
  parseEventPosition(value)
}

function readFrames(bytes: Uint8Array): void {
  const parser = createFrameParser(1000)
  const half = bytes.length >> 1
  for (const piece of [bytes.subarray(0, half), bytes.subarray(half)]) parser.push(piece, () => undefined)
}

/** The decoders for input from clients of the RPC. */
export const CLIENT_DECODERS: readonly Decoder[] = [
  {
    name: 'HTTP request',
    read: readRequest,
    seeds: seeds.requestSeeds,
    words: [
      '\r\n',
      '\r\n\r\n',
      'Host: a',
      'Content-Length: ',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
      'Accept-Encoding: gzip;q=0.5',
      'POST ',
      'HTTP/1.1',
      ';',
      ' ',
      '\t',
      'ffffffff',
    ],
  },
  { name: 'JSON body', read: readBody, seeds: seeds.jsonBodySeeds, words: [...JSON_WORDS, ...REQUEST_WORDS] },
  {
    name: 'WebSocket text',
    read: (bytes) => void requestOf(scanFirst(binaryOf(bytes))),
    isExpected: (error) => isCodedError(error) || error instanceof JsonSyntaxError,
    seeds: seeds.jsonBodySeeds,
    words: [...JSON_WORDS, ...REQUEST_WORDS],
  },
  {
    name: 'URI',
    read: readTarget,
    seeds: seeds.targetSeeds,
    words: ['%00', '%zz', '?', '&', '=', '/..', '//', '0x', '"', 'http://a', ...routes.keys()],
  },
  {
    name: 'query language',
    read: readQuery,
    seeds: () =>
      [
        "tm.event='Tx' AND app.key='a'",
        'tx.height > 5 AND tx.height<=1e3',
        "a.b CONTAINS 'c' AND d EXISTS",
        'x = TIME 2020-01-01T00:00:00Z AND y = DATE 2020-01-01',
      ].map(text),
    words: [
      ' AND ',
      'EXISTS',
      'CONTAINS',
      'TIME ',
      'DATE ',
      '2020-02-30',
      "'",
      '<=',
      '1.5',
      '-0',
      '9'.repeat(30),
      'tm.event',
      '1e9',
    ],
  },
  {
    name: 'evidence argument',
    read: (bytes) => void evidence.fromUri(binaryOf(bytes)),
    seeds: () => [
      text(
        '{"type":"tendermint/DuplicateVoteEvidence","value":{"vote_a":{"type":2,"height":"3"},"vote_b":null,"TotalVotingPower":"4","Timestamp":"2020-01-01T00:00:00Z"}}',
      ),
      text('{"type":"tendermint/LightClientAttackEvidence","value":{"ConflictingBlock":{"signed_header":null}}}'),
    ],
    words: [...JSON_WORDS, '"type":', '"value":', '"signature":', '"block_id":'],
  },
  {
    name: 'text',
    read: readText,
    seeds: () => ['2020-01-01T00:00:00.5Z', 'YWJj', '00ff', '5/3', '\u00e9\ud83d\ude00'].map(text),
    words: ['\u00ff', '=', 'Z', '+01:00'],
  },
]

/** The decoders for files, streams and database keys. */
export const FILE_DECODERS: readonly Decoder[] = [
  { name: 'gRPC message', read: readGrpcMessage, seeds: () => [Uint8Array.of(0, 0, 0, 0, 3, 10, 1, 97)] },
  { name: 'frames', read: readFrames, seeds: () => [Uint8Array.of(2, 1, 2, 0, 1, 5)] },
  { name: 'log file', read: (bytes) => void scanFile(bytes), seeds: seeds.walFileSeeds },
  {
    name: 'genesis',
    read: (bytes) => void parseGenesis(bytesToUtf8(bytes)),
    seeds: seeds.genesisSeeds,
    words: [...JSON_WORDS, '"validators":', '"consensus":', '"app_state":', '"power":"1"'],
  },
  {
    name: 'config.toml',
    read: (bytes) => {
      resolveConfig({ home: '/tmp', file: { path: 'config.toml', text: bytesToUtf8(bytes) } })
    },
    seeds: () =>
      [
        'moniker = "a"\n[rpc]\nladdr = "tcp://1.2.3.4:5"\n',
        '[p2p]\nsend_rate = 0x1F\npex = true\n[consensus]\ntimeout_commit = "1h2m3.5s"\n',
        'a = [1, 2.5, "x"]\n',
      ].map(text),
    words: [
      '[rpc]',
      '[p2p]',
      '[mempool]',
      ' = ',
      '"""',
      "'",
      '\n',
      '1h',
      '1e5',
      'nan',
      '0x',
      '{',
      'timeout_commit',
      'size',
      'laddr',
      'cors_allowed_origins = ["*"]',
    ],
  },
  {
    name: 'address book',
    read: (bytes) => void parseAddressBook(bytesToUtf8(bytes)),
    seeds: () => [
      text(
        '{"key":"a","addrs":[{"addr":{"id":"aa","ip":"1.2.3.4","port":5},"src":{"id":"aa","ip":"::1","port":5},"buckets":[1],"attempts":0,"bucket_type":1,"last_attempt":"2020-01-01T00:00:00Z"}]}',
      ),
    ],
    words: JSON_WORDS,
  },
  {
    name: 'sign state',
    read: (bytes) => void loadSignState('state.json', { read: () => bytes }),
    seeds: () => [text('{"height":"5","round":0,"step":3,"signature":"YWJj","signbytes":"00ff"}')],
    words: JSON_WORDS,
  },
  {
    name: 'address',
    read: (bytes) => void parseHostPort(bytesToUtf8(bytes)),
    seeds: () => ['tcp://1.2.3.4:5', '[::1]:26656', 'host:1'].map(text),
    words: ['tcp://', '[', ']', ':', '65536', '::ffff:1.2.3.4', '%eth0'],
  },
  {
    name: 'index keys',
    read: (bytes) => void [parseTxKey(bytes), parseBlockKey(bytes)],
    seeds: seeds.storedKeys('tx_index'),
    words: ['/', '$es$', 'block_events', 'tx.height'],
  },
  {
    name: 'event',
    read: (bytes) => {
      let json: Json
      try {
        json = JSON.parse(bytesToUtf8(bytes)) as Json
      } catch {
        return
      }
      for (const type of ['NewBlock', 'Tx', 'Vote', 'ValidatorSetUpdates', 'NewEvidence', 'NewRoundStep'] as const) {
        try {
          eventDataFromJson(type, json)
        } catch (error) {
          if (!isCodedError(error)) throw error
        }
      }
    },
    seeds: () => [
      text('{"type":"tendermint/event/RoundState","value":{"height":"1","round":0,"step":"RoundStepPropose"}}'),
      text('{"type":"tendermint/event/Tx","value":{"TxResult":{"height":"1","tx":"YQ==","result":{}}}}'),
      text(
        '{"type":"tendermint/event/Vote","value":{"Vote":{"type":1,"height":"3","round":0,"block_id":{"hash":"","parts":{"total":0,"hash":""}},"timestamp":"2020-01-01T00:00:00Z","validator_address":"00","validator_index":0,"signature":"YQ=="}}}',
      ),
    ],
    words: [...JSON_WORDS, '"type":', '"value":'],
  },
  {
    name: 'transaction of the demo application',
    read: (bytes) => void parseValidatorTx(bytes),
    seeds: () => ['val=ed25519!YWJj!5', 'val=!YQ==!+007'].map(text),
    words: ['!', 'val=', '0000'],
  },
  {
    name: 'snapshot of the demo application',
    read: readSnapshot,
    isExpected: (error) => isCodedError(error) || error instanceof RangeError,
    seeds: snapshotSeeds,
    words: [...JSON_WORDS, 'halleyMeta', 'stateKey', 'kvPairKey:', 'val=', '\u0000\u0000\u0000\u0008'],
  },
]
