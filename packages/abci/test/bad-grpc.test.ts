import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js'
import { noopLogger } from '@org/runtime'
import { RequestQuery } from '@org/types/abci'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ABCI_ERRORS, createAbciServer, createConnections } from '../src/index.ts'

const same = (bytes: Buffer): Buffer => bytes
const method = (path: string) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
})

describe('error: invalid messages over gRPC', () => {
  test('an invalid request is answered with an error, and the server continues', async () => {
    const app = { info: () => ({ data: 'alive' }) }
    const server = createAbciServer({ address: '127.0.0.1:0', kind: 'grpc' }, { app })
    await server.start()
    const client = new Client(server.address().slice('tcp://'.length), credentials.createInsecure())
    const call = (name: string, bytes: Uint8Array): Promise<number> =>
      new Promise((resolve) => {
        const path = `/tendermint.abci.ABCI/${name}`
        client.makeUnaryRequest(path, same, same, Buffer.from(bytes), (error) => resolve(error?.code ?? 0))
      })
    const names = fc.constantFrom('Info', 'FinalizeBlock', 'Query', 'Echo', 'InitChain')
    await fc.assert(
      fc.asyncProperty(names, fc.uint8Array({ maxLength: 100 }), async (name, bytes) => {
        expect([0, 13]).toContain(await call(name, bytes))
      }),
      { numRuns: 150 },
    )
    expect(await call('Nothing', new Uint8Array(0))).toBe(12)
    expect(await call('Info', new Uint8Array(0))).toBe(0)
    client.close()
    await server.stop()
  })

  test.each([
    ['half of a surrogate pair', 'wrong: \ud800', 'wrong: \ufffd'],
    ['more characters than headers may have', `wrong: ${'a'.repeat(200_000)}`, `wrong: ${'a'.repeat(993)}`],
  ])("the text of an application's error has %s: the client gets an answer", async (_, thrown, text) => {
    const app = {
      query: () => {
        throw new Error(thrown)
      },
    }
    const server = createAbciServer({ address: '127.0.0.1:0', kind: 'grpc' }, { app, logger: noopLogger })
    await server.start()
    const client = new Client(server.address().slice('tcp://'.length), credentials.createInsecure())
    const answer = new Promise((resolve) => {
      client.makeUnaryRequest('/tendermint.abci.ABCI/Query', same, same, Buffer.alloc(0), (error) =>
        resolve([error?.code, error?.details]),
      )
    })
    expect(await answer).toEqual([2, text])
    client.close()
    await server.stop()
  })

  test('a compressed request is refused, because a short one may become very long', async () => {
    let calls = 0
    const app = { query: () => ({ code: ++calls }) }
    const server = createAbciServer({ address: '127.0.0.1:0', kind: 'grpc' }, { app })
    await server.start()
    const ask = (encoding: number): Promise<readonly [code: number, text: string]> => {
      const options = { 'grpc.default_compression_algorithm': encoding }
      const client = new Client(server.address().slice('tcp://'.length), credentials.createInsecure(), options)
      const request = Buffer.from(RequestQuery.encode(RequestQuery.create({ data: new Uint8Array(100_000) })))
      return new Promise((resolve) => {
        client.makeUnaryRequest('/tendermint.abci.ABCI/Query', same, same, request, (error) => {
          client.close()
          resolve([error?.code ?? 0, error?.details ?? ''])
        })
      })
    }
    const [identity, deflate, gzip] = [0, 1, 2]
    for (const encoding of [deflate, gzip]) {
      expect(await ask(encoding)).toEqual([12, expect.stringContaining('; send messages without compression')])
    }
    expect([await ask(identity), calls]).toEqual([[0, ''], 1])
    await server.stop()
  })

  test('a compressed answer is refused, because a short one may become very long', async () => {
    const server = createHttp2Server()
    const accepted: unknown[] = []
    server.on('stream', (stream, request) => {
      accepted.push(request['grpc-accept-encoding'])
      const message = gzipSync(new Uint8Array(1_000_000))
      const head = Buffer.from([1, 0, 0, 0, 0])
      head.writeUInt32BE(message.length, 1)
      const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-encoding': 'gzip' }
      stream.respond(headers, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end(Buffer.concat([head, message]))
    })
    const sessions: ServerHttp2Session[] = []
    server.on('session', (session) => void sessions.push(session))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const connections = createConnections({ kind: 'grpc', address: `127.0.0.1:${port}` })
    await expect(connections.start(AbortSignal.timeout(20_000))).rejects.toMatchObject({
      code: ABCI_ERRORS.badFrame,
      message: expect.stringContaining('send answers without compression'),
    })
    // Some applications compress their answers if the request names a compression.
    expect(new Set(accepted)).toEqual(new Set(['identity']))
    await connections.stop()
    for (const session of sessions) session.destroy()
    server.close()
  })

  test('an invalid response ends the connection and names the method', async () => {
    const go = new Server()
    const service = { Echo: method('/tendermint.abci.ABCI/Echo'), Query: method('/tendermint.abci.ABCI/Query') }
    go.addService(service, {
      Echo: (_: unknown, done: (error: null, bytes: Buffer) => void) => done(null, Buffer.from([10, 1, 97])),
      Query: (_: unknown, done: (error: null, bytes: Buffer) => void) => done(null, Buffer.from([10, 99])),
    })
    const port = await new Promise<number>((resolve) =>
      go.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, bound) => resolve(bound)),
    )
    const connections = createConnections({ kind: 'grpc', address: `127.0.0.1:${port}` })
    await connections.start()
    await expect(connections.query.query(RequestQuery.create())).rejects.toMatchObject({
      code: ABCI_ERRORS.badFrame,
      data: { method: 'query' },
    })
    await expect(connections.query.echo('x')).rejects.toMatchObject({ code: ABCI_ERRORS.closed })
    await connections.stop()
    go.forceShutdown()
  })
})
