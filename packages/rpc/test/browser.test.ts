import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findChromium } from '@org/golden'
import { type Browser, chromium, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryEvents, type MemoryEvents } from './memory-events.ts'
import { type RunningRpc, startRpc } from './start-rpc.ts'

const executable = findChromium('the tests of the client and of /docs need a Chromium, but none is on PATH')

type Client = typeof import('../src/client/index.ts')

const PAGE = `<!doctype html><title>page</title><link rel="icon" href="data:,">
<script type="module">import * as client from '/client.js'; globalThis.rpcClient = client</script>`

async function bundledClient(): Promise<string> {
  const input = new URL('../src/client/index.ts', import.meta.url).pathname
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}

/** Starts a server for the test page and the module of the client. Its origin is not the origin of the node. */
function pageServer(client: string) {
  const server = createServer((request, response) => {
    if (request.url === '/client.js') response.setHeader('content-type', 'text/javascript').end(client)
    else response.setHeader('content-type', 'text/html').end(PAGE)
  })
  return new Promise<{ readonly origin: string; readonly close: () => void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ origin: `http://127.0.0.1:${port}`, close: () => void server.close() })
    })
  })
}

describe.skipIf(executable === undefined)('in a browser', () => {
  let browser: Browser
  let events: MemoryEvents
  let running: RunningRpc
  let site: Awaited<ReturnType<typeof pageServer>>

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable as string, args: ['--no-sandbox'] })
    site = await pageServer(await bundledClient())
    events = createMemoryEvents()
    running = await startRpc({ corsAllowedOrigins: [site.origin] }, { events })
  })
  afterAll(async () => {
    await browser?.close()
    await running?.listener.stop()
    site?.close()
  })

  /** Opens a page. Returns the page, the addresses that it requested, and its error messages. */
  async function open(url: string): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
    const page = await browser.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url)
    return { page, asked, complaints }
  }

  test('default: the client calls over HTTP from another origin, alone and in a batch', async () => {
    const { page, complaints } = await open(site.origin)
    await page.waitForFunction(() => 'rpcClient' in globalThis)
    const result = await page.evaluate(async (url) => {
      const { rpcClient } = globalThis as unknown as { readonly rpcClient: Client }
      const { createHttpTransport, createRpcClient } = rpcClient
      const client = createRpcClient(createHttpTransport(url))
      const { syncInfo } = await client.status()
      const [block, results] = await client.batch((calls) => [
        calls.block({ height: 53 }),
        calls.blockResults({ height: 53 }),
      ])
      const refused = await client.block({ height: 1000 }).catch((error: { code: string }) => error.code)
      const aborted = await client.status({}, { signal: AbortSignal.abort() }).catch((error: Error) => error.name)
      return {
        height: syncInfo.latestBlockHeight,
        txs: block.block?.data.txs.length,
        results: results.txsResults.length,
        hash: block.blockId.hash instanceof Uint8Array && block.blockId.hash.length,
        time: String(block.block?.header.time),
        refused,
        aborted,
      }
    }, `http://127.0.0.1:${running.port}`)
    expect(result.txs).toBe(result.results)
    expect(result).toMatchObject({ height: 75, hash: 32, refused: 'RPC_CLIENT_REFUSED', aborted: 'AbortError' })
    expect(result.time).toMatch(/^\d{19}$/)
    expect(complaints).toEqual([])
  })

  test('default: the client subscribes, and continues after a lost connection', async () => {
    const { page, complaints } = await open(site.origin)
    await page.waitForFunction(() => 'rpcClient' in globalThis)
    let height = events.history?.lastHeight() ?? 0
    const timer = setInterval(
      () =>
        events.publishBlock([
          { data: { type: 'NewBlockEvents', height: ++height, events: [], numTxs: 0 }, events: {} },
        ]),
      5,
    )
    const heights = await page.evaluate(async (url) => {
      const { rpcClient } = globalThis as unknown as { readonly rpcClient: Client }
      const { createReconnectingTransport, createRpcClient, createWebSocketTransport, heightOf } = rpcClient
      let last: { close: () => void } | undefined
      const transport = createReconnectingTransport(() => {
        const made = createWebSocketTransport(url)
        last = made
        return made
      })
      const client = createRpcClient(transport)
      const seen: (number | undefined)[] = []
      for await (const event of client.subscribe("tm.event='NewBlockEvents'")) {
        seen.push(heightOf(event))
        if (seen.length === 5) last?.close()
        if (seen.length === 20) break
      }
      client.close()
      return seen
    }, `ws://127.0.0.1:${running.port}/websocket`)
    clearInterval(timer)
    expect(heights).toEqual(Array.from({ length: 20 }, (_, i) => (heights[0] ?? 0) + i))
    expect(complaints).toEqual([])
  })

  test('default: /docs shows the operations, and loads nothing from another host', async () => {
    const { page, asked, complaints } = await open(`http://127.0.0.1:${running.port}/docs`)
    await page.waitForSelector('#operations-Info-block_results')
    expect(await page.locator('.opblock').count()).toBeGreaterThan(25)
    await page.click('#operations-Info-validators .opblock-summary-control')
    await page.waitForSelector('#operations-Info-validators .opblock-body')
    expect(await page.locator('#operations-Info-validators').textContent()).toContain('per_page')
    const hosts = new Set(asked.filter((url) => !/^(data|blob):/.test(url)).map((url) => new URL(url).host))
    expect([...hosts]).toEqual([`127.0.0.1:${running.port}`])
    expect(complaints).toEqual([])
  })
})
