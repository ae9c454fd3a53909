import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
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

test('behavior: reads a compressed answer, and follows no redirect', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/') response.writeHead(307, { location: '/compressed' }).end()
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('[1]'))
  })
  expect(await (await post(`${url}compressed`)).json()).toEqual([1])
  await expect(post(url)).rejects.toThrow('it redirects to "/compressed"')
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
