import { createSystemClock } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { argumentsOfJson } from '../src/call/arguments.ts'
import type { Route } from '../src/call/route.ts'
import { parseQuery } from '../src/http/request-target.ts'
import type { HttpRequest } from '../src/index.ts'
import { createRpc } from '../src/index.ts'
import { requestOf, scanWhole } from '../src/json/index.ts'
import { acceptedEncoding } from '../src/middleware/compression.ts'
import { ROUTES } from '../src/operations/table.ts'
import { createDumpPorts } from './dump-ports.ts'
import { sendRaw } from './raw.ts'
import { startRpc } from './start-rpc.ts'

const NANOSECONDS_PER_MILLISECOND = 1_000_000

/**
 * Returns the shortest duration of five runs, in nanoseconds. Returns at least a millisecond, because differences
 * between shorter durations are noise.
 */
function shortest(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) {
    const start = process.hrtime.bigint()
    work()
    best = Math.min(best, Number(process.hrtime.bigint() - start))
  }
  return Math.max(best, NANOSECONDS_PER_MILLISECOND)
}

const get = (headers: number): string =>
  `GET /health HTTP/1.1\r\nHost: localhost\r\n${Array.from({ length: headers - 1 }, (_, i) => `X-${i}: v\r\n`).join('')}\r\n`

test('default: a request may have 100 header lines; a line that continues another counts', async () => {
  await using running = await startRpc()
  expect((await sendRaw(running.port, get(100))).text).toContain('HTTP/1.1 200 OK')
  const { text, closed } = await sendRaw(running.port, get(101))
  expect(text).toContain('HTTP/1.1 431 Request Header Fields Too Large\r\n')
  expect(text).toContain('RPC_HEAD_TOO_LARGE: a request may have at most 100 header lines; send fewer')
  expect(closed).toBe(true)
  const folded = `GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: v\r\n${' v\r\n'.repeat(99)}\r\n`
  expect((await sendRaw(running.port, folded)).text).toContain('HTTP/1.1 431 ')
})

test('default: a head may have 64 KiB, also with a larger value in the configuration', async () => {
  await using running = await startRpc()
  const long = (length: number): string => `GET /health?a=${'x'.repeat(length)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  expect((await sendRaw(running.port, long(60_000))).text).toContain('HTTP/1.1 200 OK')
  const { text } = await sendRaw(running.port, long(80_000))
  expect(text).toContain('HTTP/1.1 431 Request Header Fields Too Large\r\n')
  expect(text).toContain('may have 65536 bytes; send long arguments in the body of a POST')
})

test('behavior: strict takes the heads that the reference takes', async () => {
  await using running = await startRpc({ strict: true })
  const request = get(2000).replace('Host: localhost', 'Host: localhost\r\nConnection: close')
  expect((await sendRaw(running.port, request, 10_000)).text).toContain('HTTP/1.1 200 OK')
})

test('behavior: unneeded members cost about as much as their check', () => {
  const count = 100_000
  const unknown = `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}`
  const scanned = shortest(() => void scanWhole(unknown))
  expect(shortest(() => void requestOf(unknown)) / scanned).toBeLessThan(15)
  const route = ROUTES.block as unknown as Route
  expect(shortest(() => void argumentsOfJson(route, unknown, false)) / scanned).toBeLessThan(15)
})

test('behavior: the error for a long list of parameters neither reads nor repeats it', () => {
  const list = `[${'1,'.repeat(200_000)}1]`
  const route = ROUTES.block as unknown as Route
  expect(() => argumentsOfJson(route, list, false)).toThrow(
    'expected 1 parameters ([height]), got another number of them in a list of 400003 bytes',
  )
  expect(() => argumentsOfJson(route, '[1,2]', false)).toThrow('got 2 ([[49] [50]])')
})

test('behavior: the requests of a batch that is too large are not read', async () => {
  const body = JSON.stringify([...Array.from({ length: 10 }, () => ({})), 1])
  const post = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  await using running = await startRpc()
  expect((await sendRaw(running.port, post)).text).toContain('batch request exceeds maximum (10)')
  await using strict = await startRpc({ strict: true })
  expect((await sendRaw(strict.port, post)).text).toContain('error unmarshaling request')
})

test('behavior: a form is read for the parameters of the operation, in linear time', () => {
  expect([...parseQuery('b=1&a=%41+x&a=2&c=3', ['a', 'c'])]).toEqual([
    ['a', 'A x'],
    ['c', '3'],
  ])
  expect([...parseQuery('%61=1;&a&%zz=1&', ['a'])]).toEqual([['a', '']])
  const cost = (length: number): number => shortest(() => void parseQuery('b=%41&'.repeat(length), ['a', 'c']))
  expect(cost(400_000) / cost(200_000)).toBeLessThan(8)
})

describe('a multipart form', () => {
  const BOUNDARY = `${'-'.repeat(26)}boundary`
  const part = (name: string, headers = ''): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n3\r\n`
  const form = (parts: readonly string[]): string => `${parts.join('')}--${BOUNDARY}--\r\n`
  const many = (count: number): string => form(Array.from({ length: count }, (_, i) => part(i === 0 ? 'height' : 'x')))
  const post = async (port: number, body: string): Promise<string> => {
    const head = `POST /block HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}`
    return (
      await sendRaw(port, `${head}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`, 10_000)
    ).text
  }

  test('default: a form may have 1,000 parts and 128 KiB of headers in them', async () => {
    await using running = await startRpc()
    expect(await post(running.port, many(1000))).toContain('"height":"3"')
    expect(await post(running.port, many(1001))).toContain(
      'RPC_FORM_TOO_LARGE: a multipart form may have at most 1000 parts',
    )
    const headers = '\r\nX: y'.repeat(22_000)
    const refused = await post(running.port, form([part('height', headers)]))
    expect(refused).toContain('at most 131072 bytes of headers in its parts; send the arguments as JSON')
    // The form parser ends a part at each boundary, also at a boundary in the middle of a line. So the limit of 1,000
    // parts counts these boundaries too.
    const inner = `x${BOUNDARY}\r\n\r\n`
    expect(await post(running.port, form([part('height'), inner.repeat(1000)]))).toContain(
      'RPC_FORM_TOO_LARGE: a multipart form may have at most 1000 parts',
    )
    // Each of these parts ends before its headers are complete, so the node reads no value from the form.
    expect(await post(running.port, form([part('height'), BOUNDARY.repeat(1001)]))).not.toContain('"height":"3"')
  })

  test('behavior: a strict node takes no value from more than 1,000 parts, as the reference', async () => {
    await using running = await startRpc({ strict: true })
    expect(await post(running.port, many(1000))).toContain('"height":"3"')
    const latest = await post(running.port, many(1001))
    expect(latest).toContain('HTTP/1.1 200 OK')
    expect(latest).not.toContain('"height":"3"')
    expect(await post(running.port, form([part('height', '\r\nX: y'.repeat(9000))]))).toContain('"height":"3"')
  })
})

test('behavior: very long Accept headers are ignored', () => {
  expect(acceptedEncoding('gzip')).toBe('gzip')
  expect(acceptedEncoding(`${'x,'.repeat(1000)}gzip`)).toBeUndefined()
})

test('behavior: reading a large body takes a turn among the calls', async () => {
  const clock = createSystemClock()
  let now = 0
  const { handler } = createRpc({
    ports: createDumpPorts('kvstore-single', { indexing: true }),
    // The clock advances two milliseconds at each reading, so each call uses more than the time for calls in one turn
    // of the event loop.
    clock: { ...clock, monotonic: () => (now += 2) },
  })
  const request = (body: Uint8Array): HttpRequest => ({
    method: 'POST',
    target: '/',
    http11: true,
    headers: new Map(),
    host: 'h',
    body,
    remoteAddress: '127.0.0.1:1',
    signal: () => new AbortController().signal,
  })
  const large = request(Buffer.alloc(20_000, '?'))
  const answers = [handler(large), handler(large), handler(large)]
  expect(answers.filter((answer) => answer instanceof Promise).length).toBeGreaterThan(0)
  for (const answer of answers) expect(await answer).toMatchObject({ status: 500 })
})
