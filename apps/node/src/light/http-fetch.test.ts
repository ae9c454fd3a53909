import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { LightError } from '@org/light'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpFetch } from './http-fetch.ts'

const BOUNDS = { maxBytes: 1000, maxItems: 10 }

async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly connections: () => number }> {
  let connections = 0
  const server = createServer(listener).on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, connections: () => connections }
}

const post = (url: string, init: RequestInit = {}) =>
  createHttpFetch(BOUNDS, 'node')(url, { method: 'POST', body: '{"id":1}', ...init })

test('default: sends method, headers and body, and uses the connection again', async () => {
  const { url, connections } = await serve(async (request, response) => {
    const body = await request.toArray()
    response.end(JSON.stringify([request.method, request.headers.accept, Buffer.concat(body).toString()]))
  })
  for (let i = 0; i < 2; i++) {
    const { status, json } = await post(url, { headers: { accept: 'application/json' } })
    expect(status).toBe(200)
    expect(await json()).toEqual(['POST', 'application/json', '{"id":1}'])
  }
  expect(connections()).toBe(1)
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('behavior: reads an answer in %s, and sends the request only once', async (encoding, compress) => {
  let requests = 0
  const { url } = await serve((_request, response) => {
    requests++
    response.writeHead(200, { 'content-encoding': encoding }).end(compress('[1]'))
  })
  expect(await (await post(url)).json()).toEqual([1])
  expect(requests).toBe(1)
})

test('error: a compressed answer is read up to the bound', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify('x'.repeat(1_000_000))))
  })
  await expect((await post(url)).json()).rejects.toThrow('1000 bytes')
})

test('error: an answer in an unknown encoding is refused', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'secret' }).end('[1]')
  })
  await expect(post(url)).rejects.toThrow('incorrect header check')
})

test('behavior: follows no redirect', async () => {
  let requests = 0
  const { url } = await serve((_request, response) => {
    requests++
    response.writeHead(307, { location: '/other' }).end()
  })
  await expect(post(url)).rejects.toThrow('it redirects to "/other"')
  expect(requests).toBe(1)
})

test.each([
  ['bytes', '1000 bytes', JSON.stringify('x'.repeat(2000))],
  ['values', '10 values', JSON.stringify(Array.from({ length: 20 }, () => 1))],
])('error: an answer with too many %s is refused', async (_name, bound, text) => {
  const { url } = await serve((_request, response) => response.end(text))
  const { json } = await post(url)
  await expect(json()).rejects.toThrow(bound)
  await expect(json()).rejects.toThrow(LightError)
})

test('error: an answer without an end is read up to the bound', async () => {
  const { url } = await serve((_request, response) => {
    const write = (): void => void response.write('x'.repeat(100), (error) => error ?? setImmediate(write))
    write()
  })
  const { json } = await post(url)
  await expect(json()).rejects.toThrow('1000 bytes')
})

test('error: a lost connection and an aborted signal reject', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/lost') response.writeHead(200, { 'content-length': 10 }).write('[', () => response.destroy())
  })
  await expect(post(`${url}lost`)).rejects.toThrow()
  const stop = new AbortController()
  const answer = post(url, { signal: stop.signal })
  stop.abort()
  await expect(answer).rejects.toThrow()
})
