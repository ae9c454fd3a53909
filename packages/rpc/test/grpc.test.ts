import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, constants } from 'node:http2'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '@org/runtime'
import { ExecTxResult, ResponseCheckTx } from '@org/types/abci'
import { describe, expect, onTestFinished, test } from 'vitest'
import { GRPC_LIMITS, type GrpcLimits } from '../src/grpc/options.ts'
import { startGrpcServer } from '../src/grpc/server.ts'
import { formatListenAddress } from '../src/http/index.ts'
import { UNBOUNDED } from '../src/http/tracked-connection.ts'
import type { Events, Mempool, RpcOptions } from '../src/index.ts'
import { createDumpPorts } from './dump-ports.ts'
import { broadcastOf, createGrpcClient } from './grpc-client.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

const BROADCAST = '/tendermint.rpc.grpc.BroadcastAPI/BroadcastTx'

interface Sent {
  readonly txs: string[]
}

/**
 * A node whose application accepts every transaction except those that begin with `no`, and whose mempool refuses the
 * transaction `full`.
 */
async function start(options: Partial<RpcOptions> = {}): Promise<RunningRpc & Sent & { readonly target: string }> {
  const txs: string[] = []
  const mempool: Mempool = {
    checkTx: (tx) => {
      const text = Buffer.from(tx).toString()
      txs.push(text)
      if (text === 'full') throw new Error('mempool is full: 100 % of “it”')
      const code = text.startsWith('no') ? 7 : 0
      const data = tx.subarray(0, 4)
      return ResponseCheckTx.create({ code, data, log: `checked ${text.length}`, info: 'hidden', gasWanted: 5n })
    },
    reapMaxTxs: () => [],
    size: () => 0,
    sizeBytes: () => 0,
    flush: () => undefined,
  }
  const dump = createDumpPorts('kvstore-single', { indexing: true })
  const result = ExecTxResult.create({ data: new Uint8Array([1, 2]), log: 'done', gasUsed: 9n })
  const awaitTx: Events['awaitTx'] = () =>
    Promise.resolve({ result, height: 4 } as Awaited<ReturnType<Events['awaitTx']>>)
  const events = { ...dump.events, awaitTx } as Events
  const running = await startRpc({ grpcLaddr: 'tcp://127.0.0.1:0', ...options }, { mempool, events })
  const target = (running.listener.grpcAddress ?? '').replace('tcp://', '').replace('unix://', 'unix:')
  return { ...running, txs, target }
}

function http2Client(target: string): ClientHttp2Session {
  const session = connectHttp2(`http://${target}`)
  session.on('error', () => undefined)
  onTestFinished(() => session.destroy())
  return session
}

function open(session: ClientHttp2Session, headers: Record<string, string> = {}): ClientHttp2Stream {
  const stream = session.request(
    { ':method': 'POST', ':path': BROADCAST, 'content-type': 'application/grpc', te: 'trailers', ...headers },
    { endStream: false },
  )
  stream.on('error', () => undefined)
  stream.resume()
  return stream
}

/** Returns the status of a call that ends without a message: the HTTP status, the gRPC status and its text. */
async function statusOf(stream: ClientHttp2Stream): Promise<Record<string, unknown>> {
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  return { http: headers[':status'], grpc: headers['grpc-status'], message: headers['grpc-message'] }
}

const head = (length: number, flag = 0): Buffer => {
  const bytes = Buffer.alloc(5)
  bytes[0] = flag
  bytes.writeUInt32BE(length, 1)
  return bytes
}

/**
 * Messages that the reference refused, each with the error text of the reference. `apps/node/test/interop-grpc.test.ts`
 * sends further malformed messages to this node and to a running node of the reference.
 */
const MALFORMED = [
  ['BroadcastTx', '0a09', 'unexpected EOF'],
  ['BroadcastTx', '0a80', 'unexpected EOF'],
  ['BroadcastTx', '11', 'unexpected EOF'],
  ['BroadcastTx', '13', 'unexpected EOF'],
  ['BroadcastTx', '0800', 'proto: wrong wireType = 0 for field Tx'],
  ['BroadcastTx', '0f', 'proto: wrong wireType = 7 for field Tx'],
  ['BroadcastTx', '17', 'proto: illegal wireType 7'],
  ['BroadcastTx', '0c', 'proto: RequestBroadcastTx: wiretype end group for non-group'],
  ['BroadcastTx', '00', 'proto: RequestBroadcastTx: illegal tag 0 (wire type 0)'],
  ['BroadcastTx', 'ffffffffffffffffff01', 'proto: RequestBroadcastTx: illegal tag -1 (wire type 18446744073709551615)'],
  ['BroadcastTx', 'ffffffffffffffffffff01', 'proto: integer overflow'],
  ['BroadcastTx', '10ffffffffffffffffffff01', 'proto: integer overflow'],
  ['BroadcastTx', '0affffffffffffffffff01', 'proto: negative length found during unmarshaling'],
  ['BroadcastTx', '12ffffffffffffffff7f', 'proto: negative length found during unmarshaling'],
  ['Ping', '0f', 'proto: illegal wireType 7'],
  ['Ping', '04', 'proto: RequestPing: wiretype end group for non-group'],
] as const

function http2Frame(type: number, stream: number, body: Uint8Array = new Uint8Array(0), flags = 0): Buffer {
  const bytes = Buffer.alloc(9 + body.length)
  bytes.writeUIntBE(body.length, 0, 3)
  bytes.set([type, flags], 3)
  bytes.writeUInt32BE(stream, 5)
  bytes.set(body, 9)
  return bytes
}

/**
 * The encoded headers of a call of Ping. The first two bytes are entries of HPACK's static table (`:method: POST` and
 * `:scheme: http`). The other headers are written out.
 */
const CALL_HEADERS = Buffer.concat([
  Buffer.of(0x83, 0x86),
  ...Object.entries({
    ':authority': 'a',
    ':path': '/tendermint.rpc.grpc.BroadcastAPI/Ping',
    'content-type': 'application/grpc',
  }).map(([name, value]) => Buffer.from([0, name.length, ...Buffer.from(name), value.length, ...Buffer.from(value)])),
])

describe('gRPC BroadcastAPI', () => {
  test('default: Ping, and BroadcastTx with code, data and log of both results', async () => {
    await using node = await start()
    using client = createGrpcClient(node.target)
    expect(await client.call('Ping', new Uint8Array(0))).toEqual({ code: 0, bytes: '' })
    const wanted = Buffer.concat([
      Buffer.from([0x0a, 17, 0x12, 4, ...Buffer.from('name'), 0x1a, 9, ...Buffer.from('checked 4')]),
      Buffer.from([0x12, 10, 0x12, 2, 1, 2, 0x1a, 4, ...Buffer.from('done')]),
    ])
    expect(await client.call('BroadcastTx', broadcastOf('name'))).toEqual({ code: 0, bytes: wanted.toString('hex') })
    expect(node.txs).toEqual(['name'])
  })

  test('default: a transaction that the application refuses has an empty result of its execution', async () => {
    await using node = await start()
    using client = createGrpcClient(node.target)
    const { bytes } = await client.call('BroadcastTx', broadcastOf('nono'))
    expect(bytes).toMatch(/^0a130807.*1200$/)
  })

  test('error: the error of the mempool is the status message, with any characters', async () => {
    await using node = await start()
    using client = createGrpcClient(node.target)
    expect(await client.call('BroadcastTx', broadcastOf('full'))).toEqual({
      code: 2,
      details: 'error on broadcastTxCommit: mempool is full: 100 % of “it”',
    })
  })

  test('error: refuses an unknown method and an unknown service', async () => {
    await using node = await start()
    using client = createGrpcClient(node.target)
    const empty = new Uint8Array(0)
    expect(await client.call('Nothing', empty)).toEqual({
      code: 12,
      details: 'unknown method Nothing for service tendermint.rpc.grpc.BroadcastAPI',
    })
    expect(await client.call('/a.B/C', empty)).toEqual({ code: 12, details: 'unknown service a.B' })
    expect(node.txs).toEqual([])
  })

  test.each(MALFORMED)('error: %s %s is refused in the words of gogoproto: %s', async (method, hex, fault) => {
    await using node = await start()
    using client = createGrpcClient(node.target)
    const details = `grpc: error unmarshalling request: ${fault}`
    expect(await client.call(method, Buffer.from(hex, 'hex'))).toEqual({ code: 13, details })
    expect(node.txs).toEqual([])
  })

  test('error: refuses an operation that the node does not serve as an unknown method', async () => {
    await using node = await start({ operations: ['health'] })
    using client = createGrpcClient(node.target)
    expect(await client.call('BroadcastTx', broadcastOf('a=b'))).toMatchObject({ code: 12 })
    expect(await client.call('Ping', new Uint8Array(0))).toMatchObject({ code: 0 })
  })

  test('error: calls above the rate limit of an address are refused', async () => {
    await using node = await start({ rateLimit: 1, rateBurst: 2, rateCosts: [] })
    using client = createGrpcClient(node.target)
    const answers = []
    for (let i = 0; i < 4; i++) answers.push(await client.call('Ping', new Uint8Array(0)))
    expect(answers.map(({ code }) => code).slice(0, 3)).toEqual([0, 0, 8])
    expect(answers[2]?.details).toBe('rate limit exceeded')
  })

  test('error: a node short of memory refuses calls for now', async () => {
    await using node = await start()
    using client = createGrpcClient(node.target)
    node.rpc.memory.setShort(true)
    expect(await client.call('BroadcastTx', broadcastOf('a=b'))).toMatchObject({ code: 14 })
    node.rpc.memory.setShort(false)
    expect(await client.call('BroadcastTx', broadcastOf('a=b'))).toMatchObject({ code: 0 })
  })

  test('behavior: listens on a socket file, and removes the file at the end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halley-grpc-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await using node = await start({ grpcLaddr: `unix://${folder}/a.sock` })
    using client = createGrpcClient(node.target)
    expect(await client.call('Ping', new Uint8Array(0))).toEqual({ code: 0, bytes: '' })
  })

  test('error: an address that is in use or invalid is refused', async () => {
    await using node = await start()
    await expect(start({ grpcLaddr: `tcp://${node.target}` })).rejects.toMatchObject({ code: 'RPC_CONFIG' })
    await expect(start({ grpcLaddr: '127.0.0.1:1' })).rejects.toMatchObject({ code: 'RPC_CONFIG' })
  })
})

describe('bounds of gRPC', () => {
  test('error: a length above the limit is refused when the head of the message has arrived', async () => {
    await using node = await start()
    const stream = open(http2Client(node.target))
    const status = statusOf(stream)
    stream.write(head(0xffffffff))
    expect(await status).toEqual({
      http: 200,
      grpc: '8',
      message: 'grpc: received message larger than max (4294967295 vs. 4194304)',
    })
    expect(node.rpc.memory.held().requestBytes).toBe(0)
  })

  test('error: a message of the largest size is taken, and a message of one byte more is not', async () => {
    await using node = await start()
    using client = createGrpcClient(node.target)
    const ofSize = (size: number): Buffer => {
      const bytes = Buffer.alloc(size)
      bytes.set([0x0a, 0xfb, 0xff, 0xff, 0x01])
      return bytes
    }
    expect(await client.call('BroadcastTx', ofSize(4_194_304))).toMatchObject({ code: 0 })
    expect(node.txs[0]).toHaveLength(4_194_299)
    expect(await client.call('BroadcastTx', ofSize(4_194_305))).toMatchObject({ code: 8 })
  })

  test.each([
    [head(4, 1), {}, '13', 'grpc: compressed flag set with identity or empty encoding'],
    [head(4, 1), { 'grpc-encoding': 'gzip' }, '12', 'grpc: Decompressor is not installed for grpc-encoding "gzip"'],
    [head(4, 2), {}, '13', 'grpc: received unexpected payload format 2'],
    [head(4, 0), { 'grpc-encoding': 'gzip' }, '12', 'grpc: Decompressor is not installed for grpc-encoding "gzip"'],
  ])('error: flags of a message that are not served are refused (%#)', async (bytes, headers, grpc, message) => {
    await using node = await start()
    const stream = open(http2Client(node.target), headers)
    const status = statusOf(stream)
    stream.write(bytes)
    expect(await status).toEqual({ http: 200, grpc, message })
  })

  test('error: HTTP/2 that is not gRPC, and a call without a message, are refused', async () => {
    await using node = await start()
    const session = http2Client(node.target)
    const page = session.request({ ':path': '/' })
    expect(await statusOf(page)).toEqual({ http: 415, grpc: '3', message: 'invalid gRPC request content-type ""' })
    const get = session.request({ ':path': BROADCAST, 'content-type': 'application/grpc' })
    expect(await statusOf(get)).toMatchObject({ http: 405 })
    for (const [bytes, message] of [
      [Buffer.alloc(0), 'EOF'],
      [head(5).subarray(0, 4), 'EOF'],
      [head(5), 'unexpected EOF'],
      [Buffer.concat([head(5), Buffer.alloc(4)]), 'unexpected EOF'],
    ] as const) {
      const stream = open(session)
      const status = statusOf(stream)
      stream.end(bytes)
      expect(await status).toEqual({ http: 200, grpc: '2', message })
    }
  })

  test.each([
    ['1x', 400, '13', 'malformed grpc-timeout: transport: timeout unit is not recognized: "1x"'],
    ['S', 400, '13', 'malformed grpc-timeout: transport: timeout string is too short: "S"'],
    ['123456789S', 400, '13', 'malformed grpc-timeout: transport: timeout string is too long: "123456789S"'],
    ['1aS', 400, '13', 'malformed grpc-timeout: strconv.ParseInt: parsing "1a": invalid syntax'],
    ['-1S', 200, '4', 'context deadline exceeded'],
    ['5m', 200, '4', 'context deadline exceeded'],
  ])('error: grpc-timeout %s', async (timeout, http, grpc, message) => {
    await using node = await start()
    const stream = open(http2Client(node.target), { 'grpc-timeout': timeout })
    expect(await statusOf(stream)).toEqual({ http, grpc, message })
  })

  test('behavior: the answer has the content type of the call', async () => {
    await using node = await start()
    const session = http2Client(node.target)
    for (const [asked, answered] of [
      ['application/grpc+proto', 'application/grpc+proto'],
      ['application/grpc;x', 'application/grpc+x'],
      ['application/grpc+', 'application/grpc'],
    ] as const) {
      const stream = open(session, { 'content-type': asked })
      stream.end(head(0))
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
      expect(headers['content-type']).toBe(answered)
    }
  })

  test('error: the server keeps running when a client resets calls', async () => {
    await using node = await start()
    const [host, port] = node.target.split(':')
    const socket = connect(Number(port), host)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    socket.write(http2Frame(4, 0))
    for (let stream = 1; stream < 40; stream += 2)
      socket.write(Buffer.concat([http2Frame(1, stream, CALL_HEADERS, 4), http2Frame(3, stream, Buffer.alloc(4))]))
    socket.write(http2Frame(6, 0, Buffer.from('the last')))
    let answer = ''
    for await (const data of socket) {
      answer += String(data)
      if (answer.includes('the last')) break
    }
    using client = createGrpcClient(node.target)
    expect(await client.call('Ping', new Uint8Array(0))).toMatchObject({ code: 0 })
  })

  test('error: a message that does not end in time ends the call', async () => {
    await using node = await start({ readTimeoutMs: 300 })
    const stream = open(http2Client(node.target))
    const status = statusOf(stream)
    stream.write(head(100))
    expect(await status).toMatchObject({ http: 200, grpc: '4' })
  })

  test('error: a connection that does not begin HTTP/2 in time is closed', async () => {
    await using node = await start({ readTimeoutMs: 300 })
    const [host, port] = node.target.split(':')
    const socket = connect(Number(port), host)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined).resume()
    await once(socket, 'close')
    using client = createGrpcClient(node.target)
    expect(await client.call('Ping', new Uint8Array(0))).toMatchObject({ code: 0 })
  })

  test('error: connections beyond the limit are closed', async () => {
    await using node = await start({ grpcMaxOpenConnections: 2 })
    using first = createGrpcClient(node.target)
    using second = createGrpcClient(node.target)
    using third = createGrpcClient(node.target)
    const empty = new Uint8Array(0)
    expect(await first.call('Ping', empty)).toMatchObject({ code: 0 })
    expect(await second.call('Ping', empty)).toMatchObject({ code: 0 })
    expect(await third.call('Ping', empty)).toMatchObject({ code: 14 })
    expect(await first.call('Ping', empty)).toMatchObject({ code: 0 })
  })

  test('default: a connection receives its limit of concurrent calls', async () => {
    await using node = await start()
    const session = http2Client(node.target)
    await once(session, 'remoteSettings')
    expect(session.remoteSettings.maxConcurrentStreams).toBe(100)
  })

  test('error: unfinished messages of all connections have one bound', async () => {
    const limit = 1 << 20
    await using node = await start({ maxRequestsBytes: limit })
    const { memory } = node.rpc
    const sessions = Array.from({ length: 8 }, () => http2Client(node.target))
    const closed = sessions.map((session) => once(session, 'close'))
    let most = 0
    let ended = 0
    for (const one of closed) void one.then(() => ended++)
    for (const session of sessions) {
      for (let i = 0; i < 4 && !session.destroyed; i++) {
        const before = memory.held().requestBytes
        const gone = ended
        open(session).write(Buffer.concat([head(1_000_000), Buffer.alloc(60_000)]))
        await expect.poll(() => memory.held().requestBytes !== before || ended !== gone).toBe(true)
        most = Math.max(most, memory.held().requestBytes)
      }
    }
    expect(ended).toBeGreaterThan(0)
    expect(most).toBeGreaterThan(limit / 2)
    expect(most).toBeLessThan(limit * 1.25)
    using client = createGrpcClient(node.target)
    expect(await client.call('Ping', new Uint8Array(0))).toMatchObject({ code: 0 })
  })

  test('behavior: the memory of a call of many small pieces is in proportion to its bytes', async () => {
    await using node = await start()
    const session = http2Client(node.target)
    const stream = open(session)
    const status = once(stream, 'trailers')
    stream.write(head(3000))
    for (let i = 0; i < 2999; i++) stream.write(Buffer.alloc(1))
    await expect.poll(() => node.rpc.memory.held().requestBytes).toBeGreaterThan(2999)
    expect(node.rpc.memory.held().requestBytes).toBeLessThan(2 * 3005)
    stream.end(Buffer.alloc(1))
    // A message of zeros is not a valid RequestBroadcastTx.
    expect(await Promise.race([status, statusOf(stream)])).toMatchObject({ grpc: '13' })
    stream.close(constants.NGHTTP2_NO_ERROR)
  })

  const startWith = async (limits: Partial<GrpcLimits>, answer = new Uint8Array(0)): Promise<string> => {
    const server = await startGrpcServer(
      { kind: 'tcp', host: '127.0.0.1', port: 0 },
      { limits: { ...GRPC_LIMITS, readTimeoutMs: 10_000, maxOpenConnections: 0, ...limits }, socketMode: undefined },
      {
        methods: { get: () => () => Promise.resolve({ kind: 'answer', bytes: answer }) },
        clock: createSystemClock(),
        holders: UNBOUNDED,
      },
    )
    onTestFinished(() => server.stop())
    return formatListenAddress(server.address).replace('tcp://', '')
  }

  test('behavior: a connection without calls is closed after some time', async () => {
    const session = http2Client(await startWith({ idleTimeoutMs: 200 }))
    const goAway = once(session, 'goaway')
    const closed = once(session, 'close')
    const stream = open(session)
    stream.end(head(0))
    await once(stream, 'close')
    expect((await goAway)[0]).toBe(constants.NGHTTP2_NO_ERROR)
    await closed
  })

  test('error: a client that does not read its answer loses the call', async () => {
    const target = await startWith({ writeTimeoutMs: 200 }, new Uint8Array(1_000_000))
    const session = connectHttp2(`http://${target}`, { settings: { initialWindowSize: 0 } })
    session.on('error', () => undefined)
    onTestFinished(() => session.destroy())
    const stream = open(session)
    stream.end(head(0))
    await once(stream, 'close')
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL)
  })
})
