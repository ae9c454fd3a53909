import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '@org/runtime'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { formatListenAddress, type HttpResponse, headerBlock, startHttpServer } from '../src/http/index.ts'
import { RPC_ERRORS } from '../src/index.ts'
import { openSocket, sendRaw } from './raw.ts'
import { startRpc } from './start-rpc.ts'

const directory = mkdtempSync(join(tmpdir(), 'halley-rpc-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const NOTHING: HttpResponse = { status: 200, headers: headerBlock([]), body: [] }
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
const post = (body: string, more = ''): string =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`

describe('requests', () => {
  test('behavior: a request may come byte by byte', async () => {
    await using running = await startRpc()
    const socket = await openSocket(running.port)
    for (const char of post('{"id":1,"method":"health"}')) socket.write(char)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('{"jsonrpc":"2.0","id":1,"result":{}}')
    socket.destroy()
  })

  test('behavior: a hundred pipelined requests are answered in order', async () => {
    await using running = await startRpc()
    const bodies = Array.from({ length: 100 }, (_, i) =>
      post(`{"id":${i},"method":"${i % 3 === 0 ? 'tx' : 'health'}"}`),
    )
    const { text } = await sendRaw(
      running.port,
      bodies.join(''),
      (all) => all.split('HTTP/1.1 ').length > 100 && all.endsWith('}'),
    )
    const ids = [...text.matchAll(/"id":(\d+),/g)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })

  test('behavior: the page of a redirect has the bytes of the address, its header has them escaped', async () => {
    await using running = await startRpc()
    const line = 'GET //health?x=\u00e6<\u00ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const { text } = await sendRaw(running.port, Buffer.from(line, 'latin1'))
    expect(text).toContain('\r\nLocation: /health?x=%e6<%ff\r\n')
    expect(text).toContain('\r\n\r\n<a href="/health?x=\u00e6&lt;\u00ff">Temporary Redirect</a>.\n\n')
  })

  test('behavior: a client that closes its side after its last request gets the answer', async () => {
    await using running = await startRpc()
    const socket = connect({ port: running.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(get('/tx?hash=0x00'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('not found')
    await once(socket, 'close')
  })

  test('behavior: all requests that came before the client closed its side are answered', async () => {
    await using running = await startRpc()
    const socket = connect({ port: running.port, host: '127.0.0.1', allowHalfOpen: true })
    // The answer to `tx` is ready later than the answer to `health`. The last request is incomplete, so it gets no
    // answer.
    socket.end(`${get('/tx?hash=0x00')}${get('/health')}${get('/tx?hash=0x01')}${get('/health')}GET /status`)
    let text = ''
    socket.on('data', (part) => {
      text += String(part)
    })
    await once(socket, 'close')
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['500', '200', '500', '200'])
  })

  test('behavior: a call that begins after its client has disconnected is aborted', async () => {
    const [called, gone, aborted] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<boolean>(),
    ]
    const running = await startHttpServer(
      { kind: 'tcp', host: '127.0.0.1', port: 0 },
      {
        maxHeaderBytes: 4096,
        maxBodyBytes: 4096,
        readTimeoutMs: 10_000,
        writeTimeoutMs: 10_000,
        maxOpenConnections: 0,
      },
      {
        clock: createSystemClock(),
        handler: async (request) => {
          called.resolve()
          await gone.promise
          aborted.resolve(request.signal().aborted)
          return NOTHING
        },
        times: () => ({ both: '', date: '' }),
        bodyError: () => NOTHING,
        fault: () => NOTHING,
      },
    )
    const socket = await openSocket(Number(/\d+$/.exec(formatListenAddress(running.address))?.[0]))
    socket.write(get('/tx_search'))
    await called.promise
    socket.resetAndDestroy()
    await vi.waitUntil(() => running.connections() === 0, { timeout: 5000 })
    gone.resolve()
    expect(await aborted.promise).toBe(true)
    await running.stop(0)
  })

  test('behavior: a request may arrive in pieces of any length', async () => {
    await using running = await startRpc()
    const socket = await openSocket(running.port)
    socket.setNoDelay(true)
    for (const request of [
      post('{"id":1,"method":"health"}'),
      get('/health'),
      'GET /health HTTP/1.1\nHost: localhost\n\n',
    ]) {
      for (let at = 1; at < request.length; at++) {
        socket.write(request.slice(0, at))
        await new Promise((resolve) => setImmediate(resolve))
        socket.write(request.slice(at))
        const [answer] = (await once(socket, 'data')) as [Buffer]
        expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"result":\{\}\}$/s)
      }
    }
    socket.destroy()
  })

  test('behavior: a body may come in chunks of one byte', async () => {
    await using running = await startRpc()
    const body = `{"id":1,"method":"health"${' '.repeat(20_000)}}`
    const chunks = Array.from(body, (char) => `1\r\n${char}\r\n`).join('')
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    const { text } = await sendRaw(running.port, `${head}${chunks}0\r\n\r\n`, 1000)
    expect(text).toContain('{"jsonrpc":"2.0","id":1,"result":{}}')
  })

  test('behavior: the arguments may come as a form or as a multipart form', async () => {
    await using running = await startRpc()
    const form = new FormData()
    form.set('height', '3')
    for (const body of [new URLSearchParams({ height: '3' }), form]) {
      const answer = await fetch(`http://127.0.0.1:${running.port}/header`, { method: 'POST', body })
      expect(await answer.text()).toContain('"height":"3"')
    }
  })
})

describe('limits', () => {
  test('error: a header that is too long is refused', async () => {
    await using running = await startRpc({ maxHeaderBytes: 1000 })
    const { text, closed } = await sendRaw(running.port, get('/health', `X: ${'a'.repeat(6000)}\r\n`))
    expect(text).toContain('HTTP/1.1 431 Request Header Fields Too Large\r\n')
    expect(closed).toBe(true)
  })

  test('error: a header without end is refused', async () => {
    await using running = await startRpc({ maxHeaderBytes: 1000 })
    const { text } = await sendRaw(running.port, `GET / HTTP/1.1\r\nX: ${'a'.repeat(100_000)}`)
    expect(text).toContain('HTTP/1.1 431 ')
  })

  test.each([
    ['announced', post('x'.repeat(1001))],
    [
      'in chunks',
      `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1001)}\r\n0\r\n\r\n`,
    ],
  ])('error: a body that is too long is refused, %s', async (_name, request) => {
    await using running = await startRpc({ maxBodyBytes: 1000 })
    const { text } = await sendRaw(running.port, request, 1000)
    expect(text).toContain('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n')
    expect(text).toContain('http: request body too large')
  })

  test.each([
    ['size', 'zz\r\n'],
    ['end of a chunk', '2\r\nabc\r\n'],
    ['endless size line', 'a'.repeat(5000)],
    ['huge size', 'ffffffffffffff\r\n'],
  ])('error: a body in chunks with a bad %s is refused', async (_name, body) => {
    await using running = await startRpc()
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
    const { text } = await sendRaw(running.port, head + body, 1000)
    expect(text).toContain('error reading request body: ')
  })

  test.each([
    ['two lengths', 'Content-Length: 1\r\nContent-Length: 2\r\n', '400 Bad Request'],
    ['a negative length', 'Content-Length: -1\r\n', '400 Bad Request'],
    ['another encoding', 'Transfer-Encoding: gzip\r\n', '501 Not Implemented'],
    ['a bad name', 'A b: c\r\n', '400 Bad Request: invalid header name'],
    ['a bad value', 'A: \u0001\r\n', '400 Bad Request'],
    ['another expectation', 'Expect: more\r\n', '417 Expectation Failed'],
  ])('error: %s', async (_name, header, status) => {
    await using running = await startRpc()
    const { text, closed } = await sendRaw(running.port, get('/health', header))
    expect(text.startsWith(`HTTP/1.1 ${status}\r\n`)).toBe(true)
    expect(closed).toBe(true)
  })

  test('behavior: a slow sender is cut off, an idle connection too', async () => {
    await using running = await startRpc({ readTimeoutMs: 200 })
    const slow = await openSocket(running.port)
    slow.write('GET /health HTTP/1.1\r\n')
    const idle = await openSocket(running.port)
    await Promise.all([once(slow, 'close'), once(idle, 'close')])
  })

  test('behavior: connections beyond the limit wait their turn', async () => {
    await using running = await startRpc({ maxOpenConnections: 1 })
    const first = await openSocket(running.port)
    first.write(get('/health'))
    await once(first, 'data')
    const second = sendRaw(running.port, get('/health'), 2000)
    const third = await Promise.race([second, sendRaw(running.port, get('/health'), 100)])
    expect(third.text).toBe('')
    first.destroy()
    expect((await second).text).toContain('"result":{}')
  })
})

describe('addresses', () => {
  test('default: listens on TCP and on a socket file, which is removed on stop', async () => {
    const path = join(directory, 'rpc.sock')
    const running = await startRpc({ laddr: `unix://${path}, tcp://127.0.0.1:0` })
    expect(running.listener.addresses[0]).toBe(`unix://${path}`)
    const socket = connect(path)
    socket.write(get('/health'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('"result":{}')
    socket.destroy()
    await running.listener.stop()
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
  })

  test('behavior: a socket file without a server is replaced, one with a server is refused', async () => {
    const path = join(directory, 'stale.sock')
    // A process that is killed does not remove its socket file.
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', script])
    expect(statSync(path).isSocket()).toBe(true)
    await using running = await startRpc({ laddr: `unix://${path}` })
    expect(running.listener.addresses).toEqual([`unix://${path}`])
    await expect(startRpc({ laddr: `unix://${path}` })).rejects.toMatchObject({ code: RPC_ERRORS.config })
  })

  test.each(['https://*.a.*', 'https://a b', ''])(
    'error: refuses an origin that no request can have: "%s"',
    async (origin) => {
      const refused = startRpc({ corsAllowedOrigins: ['https://a.example', origin] })
      await expect(refused).rejects.toMatchObject({ code: RPC_ERRORS.config, data: { origin } })
      await using strict = await startRpc({ corsAllowedOrigins: [origin], strict: true })
      expect(strict.port).toBeGreaterThan(0)
    },
  )

  test('error: refuses a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    await expect(startRpc({ laddr: `tcp://127.0.0.1:0,tcp://127.0.0.1:${port}` })).rejects.toMatchObject({
      code: RPC_ERRORS.config,
      message: expect.stringContaining(`failed to listen on tcp://127.0.0.1:${port}`),
    })
    taken.close()
  })

  test.each(['localhost:1', 'tcp://nope', 'http://127.0.0.1:1', 'unix://', 'tcp://127.0.0.1:99999'])(
    'error: %s',
    async (laddr) => {
      await expect(startRpc({ laddr })).rejects.toMatchObject({ code: RPC_ERRORS.config })
    },
  )
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl)('TLS (needs openssl to make a certificate)', () => {
  const key = join(directory, 'key.pem')
  const cert = join(directory, 'cert.pem')

  test('default: the node serves HTTPS', async () => {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'],
      ],
      { stdio: 'ignore' },
    )
    await using running = await startRpc({ tlsCertFile: cert, tlsKeyFile: key })
    const text = await new Promise<string>((resolve, reject) => {
      const request = httpsRequest({
        port: running.port,
        host: '127.0.0.1',
        path: '/health',
        rejectUnauthorized: false,
      })
      request.on('error', reject)
      request.on('response', (response) => response.on('data', (data: Buffer) => resolve(data.toString())))
      request.end()
    })
    expect(text).toBe('{"jsonrpc":"2.0","id":-1,"result":{}}')
    const plain = await sendRaw(running.port, get('/health'))
    expect(plain.text).not.toContain('result')
  })

  test('behavior: a TLS handshake has the time limit of a request', async () => {
    await using running = await startRpc({ tlsCertFile: cert, tlsKeyFile: key, readTimeoutMs: 200 })
    const socket = connect(running.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('close', resolve))
    expect(socket.destroyed).toBe(true)
  })

  test('error: a file that cannot be read, or is not a certificate, is refused', async () => {
    await expect(startRpc({ tlsCertFile: '/nowhere', tlsKeyFile: key })).rejects.toMatchObject({
      code: RPC_ERRORS.config,
    })
    await expect(startRpc({ tlsCertFile: key, tlsKeyFile: key })).rejects.toMatchObject({ code: RPC_ERRORS.config })
  })
})
