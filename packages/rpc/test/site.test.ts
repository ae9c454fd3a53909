import { expect, test } from 'vitest'
import { createSite } from '../src/server.ts'
import { startRpc } from './start-rpc.ts'

const FILES = new Map([
  ['index.html', Buffer.from('<!doctype html><title>page</title>')],
  ['assets/main.js', Buffer.from('export const long = 1\n'.repeat(500))],
])

function site(read: () => Promise<ReadonlyMap<string, Uint8Array>>) {
  return createSite({ path: '/page', read, missing: 'build the page first', policy: "default-src 'self'" })
}

test('default: the server and the hono app give the same answers for a site', async () => {
  const running = await startRpc({}, {}, { site: site(async () => FILES) })
  await using _ = running
  for (const path of ['/page/', '/page/assets/main.js', '/page/none']) {
    const served = await fetch(`http://127.0.0.1:${running.port}${path}`)
    const mounted = await running.rpc.app.request(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(mounted.status).toBe(served.status)
    expect(mounted.headers.get('etag')).toBe(served.headers.get('etag'))
    expect(mounted.headers.get('content-security-policy')).toBe(served.headers.get('content-security-policy'))
  }
  const tag = (await running.rpc.app.request('/page/')).headers.get('etag') ?? ''
  expect((await running.rpc.app.request('/page/', { headers: { 'if-none-match': tag } })).status).toBe(304)
})

test('default: routes of the RPC come before the site, and `/` lists the operations as before', async () => {
  const plain = await startRpc()
  const running = await startRpc({}, {}, { site: site(async () => FILES) })
  const ask = async (port: number, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return [answer.status, (await answer.text()).replaceAll(String(port), 'PORT')]
  }
  for (const path of ['/', '/pages', '/pag', '/health', '/unknown'])
    expect(await ask(running.port, path)).toEqual(await ask(plain.port, path))
  await plain.listener.stop()
  await running.listener.stop()
})

test('error: a site that is not built gives advice, and is served when it is built', async () => {
  let files: ReadonlyMap<string, Uint8Array> = new Map()
  await using running = await startRpc({}, {}, { site: site(async () => files) })
  const url = `http://127.0.0.1:${running.port}/page/`
  const missing = await fetch(url)
  expect([missing.status, await missing.text()]).toEqual([503, 'build the page first\n'])
  files = FILES
  expect((await fetch(url)).status).toBe(200)
})

test('error: a site whose files could not be read is read again', async () => {
  let reads = 0
  const read = async (): Promise<ReadonlyMap<string, Uint8Array>> => {
    if (reads++ === 0) throw new Error('EMFILE: too many open files')
    return FILES
  }
  await using running = await startRpc({}, {}, { site: site(read) })
  const url = `http://127.0.0.1:${running.port}/page/`
  expect((await fetch(url)).status).toBe(500)
  expect((await fetch(url)).status).toBe(200)
})

test('behavior: a compressed file is not compressed a second time', async () => {
  await using running = await startRpc({ compression: true }, {}, { site: site(async () => FILES) })
  const answer = await fetch(`http://127.0.0.1:${running.port}/page/assets/main.js`)
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.text()).toBe('export const long = 1\n'.repeat(500))
})

test('behavior: a strict node has no site', async () => {
  await using running = await startRpc({ strict: true }, {}, { site: site(async () => FILES) })
  expect((await fetch(`http://127.0.0.1:${running.port}/page/`)).status).toBe(404)
})
