import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findChromium } from '@org/golden'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeHome, type RunningNode, startNode } from './support/node.ts'
import { HALLEY, launch, temporaryFolder } from './support/process.ts'

const executable = findChromium('the tests with pages of other origins need a Chromium, but none is on PATH')

/** The host name of the attacker's page. The browser resolves it to this machine, as an attacker's DNS server would. */
const FOREIGN_NAME = 'evil.example'

interface Attempts {
  readonly socket: boolean
  readonly stream: boolean
  /** The names of the requests whose answers the page could read. */
  readonly read: readonly string[]
  readonly image: boolean
}

/** The part of the browser's global object that `attack` uses to load an image. */
interface Browsing {
  readonly Image: new () => { onload: () => void; onerror: () => void; src: string }
}

/** Makes requests of all kinds to a node. Runs in the browser, in a page of another origin. */
async function attack(url: string): Promise<Attempts> {
  const opened = (target: WebSocket | EventSource): Promise<boolean> =>
    new Promise((resolve) => {
      target.onopen = () => resolve(true)
      target.onerror = () => resolve(false)
    }).then((is) => {
      target.close()
      return is as boolean
    })
  const read: string[] = []
  const ask = async (name: string, path: string, init?: RequestInit): Promise<void> => {
    try {
      const text = await (await fetch(url + path, init)).text()
      if (text !== '') read.push(name)
    } catch {
      // The browser did not let the page read the answer, so the name of the request is not added to `read`.
    }
  }
  const flush = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'unsafe_flush_mempool', params: {} })
  const post = (type: string, mode: 'cors' | 'no-cors'): RequestInit => ({
    method: 'POST',
    body: flush,
    mode,
    headers: { 'content-type': type },
  })
  await ask('status', '/status')
  await ask('GET', '/unsafe_flush_mempool', { mode: 'no-cors' })
  await ask('text POST', '/', post('text/plain', 'no-cors'))
  await ask('JSON POST', '/', post('application/json', 'cors'))
  const image = await new Promise<boolean>((resolve) => {
    const { Image } = globalThis as unknown as Browsing
    const element = new Image()
    element.onload = () => resolve(true)
    element.onerror = () => resolve(false)
    element.src = `${url}/unsafe_flush_mempool`
  })
  return {
    socket: await opened(new WebSocket(`${url.replace('http', 'ws')}/websocket`)),
    stream: await opened(new EventSource(`${url}/events?query=${encodeURIComponent("tm.event='NewBlock'")}`)),
    read,
    image,
  }
}

const txsIn = async ({ ask }: RunningNode): Promise<string> =>
  (await ask<{ readonly n_txs: string }>('/num_unconfirmed_txs')).n_txs

async function flush(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'unsafe_flush_mempool', params: {} })
  await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}

describe.skipIf(executable === undefined)('a page of another origin in a browser', () => {
  let browser: Browser
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>page</title>')
  })

  beforeAll(async () => {
    const args = ['--no-sandbox', `--host-resolver-rules=MAP ${FOREIGN_NAME} 127.0.0.1`]
    browser = await chromium.launch({ executablePath: executable as string, args })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser?.close()
    site.close()
  })

  async function open(url: string): Promise<Page> {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(url)
    return page
  }
  const openForeign = (): Promise<Page> => open(`http://${FOREIGN_NAME}:${(site.address() as AddressInfo).port}/`)

  test('default: the page opens no WebSocket and no stream, calls no unsafe operation, and reads no answer', async () => {
    const home = await makeHome(temporaryFolder())
    // The first block comes only after an hour. So the transaction stays in the mempool, unless the page calls an
    // unsafe operation that removes it.
    const node = await startNode(home, '--proxy_app=kvstore', '--rpc.unsafe=true', '--consensus.timeout_commit=1h')
    await node.ask('/broadcast_tx_sync?tx="a=1"')
    const page = await openForeign()
    expect(await page.evaluate(attack, node.url)).toEqual({ socket: false, stream: false, read: [], image: false })
    expect(await txsIn(node)).toBe('1')

    // The attacker's host name resolves to the node's address. For the browser, a page of this host has the same origin
    // as the node's answers. Therefore the node must refuse requests whose host name is foreign.
    const port = new URL(node.url).port
    const rebound = await open(`http://${FOREIGN_NAME}:${port}/status`)
    expect(await rebound.content()).toContain('RPC_FOREIGN_HOST')
    expect(await rebound.evaluate(attack, `http://${FOREIGN_NAME}:${port}`)).toMatchObject({
      socket: false,
      stream: false,
      image: false,
    })
    expect(await txsIn(node)).toBe('1')

    // A page of the node itself may open the WebSocket and the stream, and may call the unsafe operation. A program
    // that is not a browser may call the unsafe operation, too.
    const own = await open(`${node.url}/health`)
    expect(await own.evaluate(attack, node.url)).toMatchObject({ socket: true, stream: true })
    expect(await txsIn(node)).toBe('0')
    await node.ask('/broadcast_tx_sync?tx="a=2"')
    await flush(node.url)
    expect(await txsIn(node)).toBe('0')
  })

  test('default: a page of any origin may use the RPC of a devnet, on purpose', async () => {
    const folder = temporaryFolder()
    const home = join(folder, 'devnet')
    const devnet = launch(HALLEY, ['devnet', '--home', home, '--rpc.laddr=tcp://127.0.0.1:0'], { TMPDIR: folder })
    await devnet.saw('abci_query')
    const url = (/RPC +(\S+)/.exec(devnet.output())?.[1] ?? '').replace(/\/$/, '')
    const page = await openForeign()
    expect(await page.evaluate(attack, url)).toMatchObject({
      socket: true,
      stream: true,
      read: expect.arrayContaining(['status']),
    })
  })
})
