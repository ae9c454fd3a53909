import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { executable, launchBrowser, open } from '@org/ui/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildExplorer } from '../build.ts'
import { type Devnet, startDevnet } from './support/devnet.ts'

const BUILT = fileURLToPath(new URL('../../node/node_modules/.cache/explorer', import.meta.url))

let devnet: Devnet

beforeAll(async () => {
  await buildExplorer(BUILT)
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Sends a request with exactly this path. `fetch` would remove the parts `..` from the path. */
function send(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(devnet.url)
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function scriptPath(): Promise<string> {
  const page = (await send('/explorer/')).body.toString()
  return `/explorer/${/src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1]}`
}

test('default: the start of a devnet prints the address of the page, and the page has a strict policy', async () => {
  expect(devnet.output()).toContain(`page   ${devnet.url}/explorer/\n`)
  const redirect = await send('/explorer')
  expect([redirect.status, redirect.headers.location]).toEqual([307, 'explorer/'])
  const { status, headers, body } = await send('/explorer/')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ])
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
  )
  expect(policy).not.toContain('unsafe')
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  expect(body.toString()).not.toMatch(/<script(?![^>]* src=)|<style|\bon[a-z]+=|style=/)
})

test('default: a file has an ETag, and clients that accept gzip get the same file compressed', async () => {
  const path = await scriptPath()
  const plain = await send(path)
  const gzipped = await send(path, { 'accept-encoding': 'br, gzip' })
  expect(gzipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
  })
  expect(gzipped.headers.vary).toContain('Accept-Encoding')
  expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true)
  expect(gzipped.headers['cache-control']).toContain('immutable')
  for (const { headers } of [plain, gzipped]) {
    const again = await send(path, { 'if-none-match': String(headers.etag), 'accept-encoding': 'gzip' })
    expect([again.status, again.body.length]).toEqual([304, 0])
  }
  expect((await send(path, { 'if-none-match': '"other"' })).status).toBe(200)
  expect((await send(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined()
})

test('default: HEAD has no body, and other methods are refused', async () => {
  const head = await send('/explorer/', {}, 'HEAD')
  expect([head.status, head.body.length]).toEqual([200, 0])
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const refused = await send('/explorer/', {}, method)
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})

test.each([
  '/explorer/nothing.js',
  '/explorer/../package.json',
  '/explorer/%2e%2e/%2e%2e/package.json',
  '/explorer/..%2fbundle%2fmain.mjs',
  '/explorer/assets/../../bundle/main.mjs',
  '/explorer//etc/passwd',
  '/explorer/assets/..\\..\\bundle\\main.mjs',
  '/explorer/assets',
  '/explorer/index.html%00',
])('error: %s leads to no file', async (path) => {
  const { status, body } = await send(path)
  expect([404, 307]).toContain(status)
  expect(body.length).toBeLessThan(200)
})

test('behavior: a node without the page, and a strict node, answer 404 to a request for the page', async () => {
  for (const flag of ['--rpc.explorer=false', '--rpc.strict=true']) {
    const other = await startDevnet(flag)
    const answer = await fetch(`${other.url}/explorer/`)
    expect([answer.status, await answer.text()]).toEqual([404, '404 page not found\n'])
    expect(other.output()).not.toContain('/explorer')
    await other.stop()
  }
})

describe.skipIf(executable === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  test('default: the page of the node works under its policy, and asks no other host', async () => {
    const { page, asked, complaints } = await open(browser, `${devnet.url}/explorer`)
    await page.getByText('in sync').waitFor()
    await expect.poll(async () => Number(await page.locator('[data-height]').textContent())).toBeGreaterThan(2)
    expect(asked.some((url) => url.startsWith('ws:'))).toBe(true)
    const hosts = new Set(asked.map((url) => new URL(url).host))
    expect([...hosts]).toEqual([new URL(devnet.url).host])
    expect(complaints).toEqual([])
  })

  test('behavior: the policy refuses an inline script and a request to another host', async () => {
    const { page } = await open(browser, `${devnet.url}/explorer/`)
    await page.getByText('in sync').waitFor()
    const result = await page.evaluate(async () => {
      const refused = new Set<string>()
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.add(effectiveDirective))
      const script = document.createElement('script')
      script.textContent = 'globalThis.didRun = true'
      document.body.append(script)
      const answer = await fetch('http://127.0.0.1:1/').catch((error: Error) => error.name)
      await new Promise((resolve) => setTimeout(resolve))
      return { didRun: 'didRun' in globalThis, answer, refused: [...refused].sort() }
    })
    expect(result).toEqual({ didRun: false, answer: 'TypeError', refused: ['connect-src', 'script-src-elem'] })
  })

  test('behavior: the page reconnects when the node starts again', async () => {
    const first = await startDevnet()
    const { page } = await open(browser, `${first.url}/explorer/`)
    await page.getByText('in sync').waitFor()
    await first.stop()
    await page.getByText('connection lost, trying again').waitFor()
    const second = await startDevnet(`--rpc.laddr=${first.url.replace('http', 'tcp')}`)
    await page.locator('.dot.live').waitFor()
    await second.stop()
  })
})
