import { connect } from 'node:http2'
import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import { freePort } from '@org/golden'
import { createSeededRandom } from '@org/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FAST, launchNode, makeHome, startNode } from './support/node.ts'
import { findCometbft, launch, temporaryFolder } from './support/process.ts'

const cometbft = findCometbft() ?? ''
const same = (bytes: Buffer): Buffer => bytes

type Call = (path: string, message: Buffer) => Promise<unknown>

/**
 * Returns a function that makes a call to a node with the gRPC library. The function resolves with the bytes of the
 * answer in hex, or with the code and the text of the error.
 */
function caller(port: number): Call {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
    'grpc.enable_http_proxy': 0,
  })
  onTestFinished(() => client.close())
  return (path, message) =>
    new Promise((resolve) => {
      const done = (error: ServiceError | null, bytes?: Buffer): void =>
        resolve(error === null ? bytes?.toString('hex') : { code: error.code, details: error.details })
      client.makeUnaryRequest(path, same, same, message, done)
    })
}

/** Returns the bytes of a `RequestBroadcastTx`. */
function broadcastOf(tx: Buffer): Buffer {
  const length = [tx.length & 0x7f, (tx.length >> 7) & 0x7f, (tx.length >> 14) & 0x7f, tx.length >> 21]
  return Buffer.concat([Buffer.from([0x0a, ...length.map((part, i) => (i < 3 ? part | 0x80 : part))]), tx])
}

const API = '/tendermint.rpc.grpc.BroadcastAPI'
const tx = (text: string): Buffer => broadcastOf(Buffer.from(text))

const CALLS: readonly (readonly [name: string, path: string, message: Buffer])[] = [
  ['Ping', `${API}/Ping`, Buffer.alloc(0)],
  ['Ping with unknown fields', `${API}/Ping`, Buffer.from([0x0a, 1, 65])],
  ['a transaction', `${API}/BroadcastTx`, tx('name=satoshi')],
  ['the same transaction again', `${API}/BroadcastTx`, tx('name=satoshi')],
  ['a transaction that the application refuses', `${API}/BroadcastTx`, tx('no key')],
  ['an empty transaction', `${API}/BroadcastTx`, Buffer.alloc(0)],
  ['a transaction above the mempool’s limit', `${API}/BroadcastTx`, broadcastOf(Buffer.alloc(1_100_000, 'a'))],
  ['a message above the limit', `${API}/BroadcastTx`, Buffer.alloc(4_194_305)],
  ['an unknown method', `${API}/Nothing`, Buffer.alloc(0)],
  ['an unknown service', '/some.Service/Method', Buffer.alloc(0)],
  ['a path without a method', '/', Buffer.alloc(0)],
]

/**
 * Pieces of encoded protobuf messages, in hex. Most of them test a limit of the encoding, such as the longest varint.
 */
const PIECES = [
  ...['00', '01', '04', '07', '08', '0a', '0b', '0c', '0d', '0f', '10', '12', '13', '14', '17', '1a', '7f', '80', 'ff'],
  ...[
    'ffffffffffffffff',
    'ffffffffffffffff7f',
    'ffffffffffffffffff01',
    '8080808080808080808001',
    '80808080808080808001',
  ],
  ...['fcffffffffffffff7f', 'f8ffffff0f', '80808080f0ffffff', '0a01', '1201', '05', '02'],
]

/**
 * Returns `count` malformed messages. Each message consists of one to seven items of {@link PIECES}, and of a last byte
 * that makes the message invalid. Each run gets the same messages.
 */
function malformedMessages(count: number): readonly Buffer[] {
  const random = createSeededRandom(7)
  return Array.from({ length: count }, () => {
    const pieces = Array.from({ length: 1 + random.below(7) }, () => PIECES[random.below(PIECES.length)])
    return Buffer.from(`${pieces.join('')}0f`, 'hex')
  })
}

interface RawCall {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Calls that the gRPC library cannot make. `body` is the message with its frame, in hex. */
const RAW_CALLS: readonly RawCall[] = [
  ...['', '00', '00000000', '0000000005', '000000000501', '0100000000', '0200000000', '0000400001'].map((body) => ({
    body,
  })),
  { body: '0100000000', headers: { 'grpc-encoding': 'gzip' } },
  { body: '00000000010f', headers: { 'grpc-encoding': 'gzip' } },
  { body: '0100000000', headers: { 'grpc-encoding': 'identity' } },
  ...['text/plain', 'application/grpcx', 'application/grpc+json', 'application/grpc;a', 'application/grpc+'].map(
    (type) => ({
      headers: { 'content-type': type },
      body: '00000000010f',
    }),
  ),
  { method: 'GET' },
  { method: 'PUT', headers: { 'grpc-timeout': '1x' } },
  ...['1x', 'S', '123456789S', 'aS', '1.5S'].map((timeout) => ({ headers: { 'grpc-timeout': timeout } })),
  ...['/x', '//x', '/a/b/c', `${API}/`, `${API}/Ping/`, '/"/é'].map((path) => ({ path })),
  { path: `${API}/Ping`, body: '00000000000000' },
]

/** Returns a function that makes a call over plain HTTP/2. The function resolves with all that the client received. */
function rawCaller(port: number): (call: RawCall) => Promise<unknown> {
  const session = connect(`http://127.0.0.1:${port}`)
  session.on('error', () => undefined)
  onTestFinished(() => session.destroy())
  return ({ method = 'POST', path = `${API}/BroadcastTx`, headers = {}, body = '' }) =>
    new Promise((resolve) => {
      const head = { ':method': method, ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers }
      const stream = session.request(head, { endStream: false })
      const seen: Record<string, unknown> = {}
      const take = (fields: Readonly<Record<string, unknown>>): void => {
        for (const name of [':status', 'content-type', 'grpc-status', 'grpc-message'])
          if (fields[name] !== undefined) seen[name] = fields[name]
      }
      stream.on('response', take).on('trailers', take)
      stream.on('error', ({ message }) => Object.assign(seen, { message }))
      stream.on('data', (bytes: Buffer) => Object.assign(seen, { data: bytes.toString('hex') }))
      stream.once('close', () => resolve(seen))
      stream.end(Buffer.from(body, 'hex'))
    })
}

describe.skipIf(cometbft === '')('gRPC beside the reference (skipped without a cometbft on PATH)', () => {
  test('default: each call has the same answer as with the reference, byte for byte', async () => {
    const [ourPort, theirPort, rpc, p2p] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const ours = await startNode(
      await makeHome(temporaryFolder()),
      ...['--proxy_app=kvstore-v0.38', `--rpc.grpc_laddr=tcp://127.0.0.1:${ourPort}`, ...FAST],
    )
    const theirs = launch(cometbft, [
      ...['start', '--home', await makeHome(temporaryFolder()), '--proxy_app=kvstore'],
      ...[`--rpc.laddr=tcp://127.0.0.1:${rpc}`, `--p2p.laddr=tcp://127.0.0.1:${p2p}`],
      `--rpc.grpc_laddr=tcp://127.0.0.1:${theirPort}`,
    ])
    await theirs.saw('Started node')
    const [ask, wanted] = [caller(ourPort), caller(theirPort)]
    for (const [name, path, message] of CALLS)
      expect(await ask(path, message), name).toEqual(await wanted(path, message))
    for (const message of malformedMessages(400)) {
      for (const method of ['Ping', 'BroadcastTx']) {
        const [path, name] = [`${API}/${method}`, `${method} ${message.toString('hex')}`]
        expect(await ask(path, message), name).toEqual(await wanted(path, message))
      }
    }
    const [askRaw, wantedRaw] = [rawCaller(ourPort), rawCaller(theirPort)]
    for (const call of RAW_CALLS) expect(await askRaw(call), JSON.stringify(call)).toEqual(await wantedRaw(call))
    // If a second node tries to listen at the same address, its error names the flag for the gRPC address.
    const second = launchNode(
      await makeHome(temporaryFolder()),
      ...['--proxy_app=kvstore', `--rpc.grpc_laddr=tcp://127.0.0.1:${ourPort}`],
    )
    await second.ended
    expect(second.output()).toMatch(/another program listens on .*--rpc\.grpc_laddr=/)
    const stored = await ours.ask<{ response: { value: string } }>('/abci_query?data="name"')
    expect(Buffer.from(stored.response.value, 'base64').toString()).toBe('satoshi')
  })
})
