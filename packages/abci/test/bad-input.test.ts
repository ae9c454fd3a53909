import { connect, createServer, type Socket } from 'node:net'
import { Request, RequestQuery, Response, ResponseQuery } from '@org/types/abci'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ABCI_ERRORS, createAbciServer, createConnections, METHOD_NAMES, METHODS } from '../src/index.ts'

const LIMIT = 1000

/**
 * Starts a server that sends `answer` when the first bytes arrive, and then closes the connection if `hangUp` is set.
 */
async function fakeApplication(answer: Uint8Array, hangUp = false) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(answer)
      if (hangUp) socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const connections = createConnections({ kind: 'socket', address: `127.0.0.1:${port}`, maxFrameBytes: LIMIT })
  await connections.start()
  return {
    query: connections.query,
    [Symbol.asyncDispose]: async () => {
      await connections.stop()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const encode = (value: NonNullable<Response['value']>): Uint8Array => Response.encodeDelimited({ value })

describe('error: a fault of an application gives an error with a code and the method', () => {
  test.each([
    ['the response of commit', encode({ case: 'commit', value: { retainHeight: 0 } }), ABCI_ERRORS.unexpectedResponse],
    ['an empty response', Uint8Array.of(0), ABCI_ERRORS.unexpectedResponse],
    ['an exception', encode({ case: 'exception', value: { error: 'broken' } }), ABCI_ERRORS.exception],
    ['a frame above the limit', Uint8Array.of(0xff, 0xff, 0x7f), ABCI_ERRORS.frameTooLarge],
    ['a length of more than 64 bits', new Uint8Array(11).fill(0xff), ABCI_ERRORS.badFrame],
    ['a frame that is not a message', Uint8Array.of(2, 0x0a, 0x7f), ABCI_ERRORS.badFrame],
  ])('%s', async (_, answer, code) => {
    await using application = await fakeApplication(answer)
    await expect(application.query.echo('x')).rejects.toMatchObject({ code, data: { method: 'echo' } })
    await expect(application.query.echo('y')).rejects.toMatchObject({ code: ABCI_ERRORS.closed })
  })

  test('the end of the connection in the middle of an answer', async () => {
    await using application = await fakeApplication(Uint8Array.of(5, 1), true)
    const [first, second] = [application.query.echo('x'), application.query.commit()]
    await expect(first).rejects.toMatchObject({ code: ABCI_ERRORS.closed, data: { method: 'echo' } })
    await expect(second).rejects.toMatchObject({ code: ABCI_ERRORS.closed, data: { method: 'commit' } })
  })

  test('an answer without a request', async () => {
    const flushed = encode({ case: 'flush', value: {} })
    const both = Buffer.concat([encode({ case: 'echo', value: { message: 'x' } }), flushed, flushed])
    await using application = await fakeApplication(both)
    const failed = new Promise((resolve) => application.query.onError(resolve))
    expect(await application.query.echo('x')).toBe('x')
    expect(await failed).toMatchObject({ code: ABCI_ERRORS.unexpectedResponse, data: { response: 'flush' } })
  })

  test('after any bytes every call ends with a result or a coded error', async () => {
    const prefix = encode({ case: 'echo', value: { message: 'x' } })
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.uint8Array({ maxLength: 100 }).map((tail) => Uint8Array.from([...prefix, ...tail])),
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (answer) => {
        await using application = await fakeApplication(answer, true)
        const outcome = await application.query.echo('x').catch((error: { code?: string }) => error.code)
        expect(['x', ...Object.values(ABCI_ERRORS)]).toContain(outcome)
      }),
      { numRuns: 150 },
    )
  })
})

async function startServer() {
  const server = createAbciServer({ address: '127.0.0.1:0', kind: 'socket', maxFrameBytes: LIMIT }, { app: {} })
  await server.start()
  return {
    port: Number(server.address().split(':').at(-1)),
    address: server.address(),
    [Symbol.asyncDispose]: server.stop,
  }
}

/**
 * Sends bytes. Resolves with the received bytes when the connection is closed. `halfClose` ends the client's side after
 * the bytes.
 */
function talk(port: number, bytes: Uint8Array, halfClose: boolean): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => void chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.write(bytes)
    if (halfClose) socket.end()
  })
}

describe('error: a fault of a client ends only its connection', () => {
  test.each([
    ['a frame over the limit', Uint8Array.of(0xff, 0xff, 0x7f)],
    ['a length over 64 bits', new Uint8Array(11).fill(0xff)],
    ['a frame that is not a message', Uint8Array.of(2, 0x0a, 0x7f)],
  ])('%s', async (_, bytes) => {
    await using server = await startServer()
    expect(await talk(server.port, bytes, false)).toHaveLength(0)
  })

  test('a request that is empty or unknown is answered with an exception', async () => {
    await using server = await startServer()
    for (const bytes of [Uint8Array.of(0), Uint8Array.of(2, 0x22, 0)]) {
      const [length = 0, ...answer] = await talk(server.port, bytes, false)
      expect(length).toBe(answer.length)
      expect(Response.decode(Uint8Array.from(answer)).value?.case).toBe('exception')
    }
  })

  test('any bytes are answered or end the connection, and other connections continue', async () => {
    await using server = await startServer()
    const connections = createConnections({ kind: 'socket', address: server.address })
    await connections.start()
    const someRequest = fc
      .tuple(fc.constantFrom(...METHOD_NAMES), fc.uint8Array({ maxLength: 60 }), fc.boolean())
      .map(([name, noise, cut]) => {
        const value = { case: name, value: METHODS[name].request.create() } as NonNullable<Request['value']>
        const frame = Uint8Array.from([...Request.encodeDelimited({ value }), ...noise])
        return cut ? frame.subarray(0, frame.length - 1) : frame
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), someRequest), async (bytes) => {
        await talk(server.port, bytes, true)
        expect(await connections.query.echo('still here')).toBe('still here')
      }),
      { numRuns: 150 },
    )
    await connections.stop()
  })

  test.each(['at once', 'with a promise'])('a client that does not read its answers gets few, %s', async (when) => {
    const value = new Uint8Array(1_000_000)
    let calls = 0
    const query = (): ResponseQuery | Promise<ResponseQuery> => {
      calls++
      const answer = ResponseQuery.create({ value })
      return when === 'at once' ? answer : Promise.resolve(answer)
    }
    const server = createAbciServer({ address: '127.0.0.1:0', kind: 'socket' }, { app: { query } })
    await server.start()
    const socket = connect(Number(server.address().split(':').at(-1)), '127.0.0.1')
    socket.pause()
    const requests = 200
    const one = Request.encodeDelimited({ value: { case: 'query', value: RequestQuery.create() } })
    socket.write(Buffer.concat(Array.from({ length: requests }, () => one)))
    await expect.poll(() => calls).toBeGreaterThan(0)
    // This loop waits until the server makes no further call of `query`, because the buffers of the sockets are full.
    for (let before = 0; before < calls; ) {
      before = calls
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(calls).toBeLessThan(requests / 2)
    let received = 0
    socket.on('data', ({ length }) => {
      received += length
    })
    socket.resume()
    await expect.poll(() => [calls, received > requests * value.length], { timeout: 10_000 }).toEqual([requests, true])
    socket.destroy()
    await server.stop()
  })

  test('a frame that waits for a client to read, and that cannot be decoded, ends only its connection', async () => {
    const query = (): ResponseQuery => ResponseQuery.create({ value: new Uint8Array(1_000_000) })
    const server = createAbciServer({ address: '127.0.0.1:0', kind: 'socket' }, { app: { query } })
    await server.start()
    const socket = connect(Number(server.address().split(':').at(-1)), '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const one = Request.encodeDelimited({ value: { case: 'query', value: RequestQuery.create() } })
    // The answers are longer than the buffers of the sockets. So the server handles the last frame only after the
    // client has read some of the answers.
    socket.write(Buffer.concat([...Array.from({ length: 30 }, () => one), Uint8Array.of(2, 0x0a, 0x7f)]))
    socket.resume()
    await closed
    const connections = createConnections({ kind: 'socket', address: server.address() })
    await connections.start()
    expect(await connections.query.echo('still here')).toBe('still here')
    await connections.stop()
    await server.stop()
  })

  test('an address that is in use is refused', async () => {
    await using server = await startServer()
    for (const kind of ['socket', 'grpc'] as const) {
      const second = createAbciServer({ address: server.address, kind }, { app: {} })
      await expect(second.start()).rejects.toMatchObject({ code: ABCI_ERRORS.listen })
      await second.stop()
    }
  })
})

describe('error: a call that cannot be made rejects', () => {
  test.each(['socket', 'grpc'] as const)('a call before the connection is made rejects, %s', async (kind) => {
    const connections = createConnections({ kind, address: 'tcp://127.0.0.1:1' })
    await expect(connections.consensus.commit()).rejects.toMatchObject({ code: ABCI_ERRORS.notConnected })
    const starting = connections.start()
    await connections.stop()
    await expect(starting).rejects.toMatchObject({ code: 'SERVICE_STOPPING' })
    await expect(connections.start()).rejects.toMatchObject({ code: 'SERVICE_NOT_NEW' })
    await expect(connections.consensus.commit()).rejects.toMatchObject({ code: ABCI_ERRORS.closed })
  })

  test.each(['socket', 'grpc'] as const)('a start that is aborted rejects, %s', async (kind) => {
    const connections = createConnections({ kind, address: 'tcp://127.0.0.1:1' })
    const abort = new AbortController()
    const starting = connections.start(abort.signal)
    abort.abort(new Error('enough'))
    await expect(starting).rejects.toThrow('enough')
    await connections.stop()
  })

  test('a call above the maximum number of open calls rejects', async () => {
    await using server = await startServer()
    const connections = createConnections({ kind: 'socket', address: server.address, maxPending: 3 })
    await connections.start()
    const calls = Array.from({ length: 5 }, () => connections.query.echo('x').catch((error) => error.code))
    expect(await Promise.all(calls)).toEqual(['x', 'x', 'x', ABCI_ERRORS.tooManyPending, ABCI_ERRORS.tooManyPending])
    expect(await connections.query.echo('again')).toBe('again')
    await connections.stop()
  })

  test('only the call whose request cannot be encoded rejects', async () => {
    await using server = await startServer()
    const connections = createConnections({ kind: 'socket', address: server.address })
    await connections.start()
    const query = { data: new Uint8Array(0), path: '', height: 2 ** 60, prove: false }
    const good = connections.query.echo('good')
    await expect(connections.query.query(query)).rejects.toMatchObject({ code: 'SCHEMA_UNSAFE_INTEGER' })
    expect(await good).toBe('good')
    await connections.stop()
  })
})
