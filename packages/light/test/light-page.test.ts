import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeChain } from '@org/test-kit'
import { bytesToBase64, bytesToHex, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { makeValueOp, proofsFromByteSlices, valueLeaf } from '@org/types/crypto'
import { type Browser, chromium, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashOf, type LightBlock } from '../src/index.ts'
import { browserProgram } from './browser-site.ts'
import { blockOf, keysAt } from './client-fixture.ts'
import { type Extra, type MadeNode, startMadeNode } from './made-node.ts'

const folder = new URL('../../../tooling/examples/light-page/', import.meta.url)
const { root, proofs } = proofsFromByteSlices([valueLeaf(utf8ToBytes('alice'), utf8ToBytes('17'))])
const CHAIN = makeChain({ to: 40, keysAt, header: () => ({ appHash: root }) })

/** An application with one key, `alice`. The app hash in the header proves the value of this key. */
const extra = (chain: ReadonlyMap<number, LightBlock>): Extra => ({
  abci_query: ({ data }) => {
    const op = makeValueOp(utf8ToBytes('alice'), proofs[0] as (typeof proofs)[number])
    return {
      response: {
        ...{ code: 0, log: '', info: '', index: '0', codespace: '' },
        key: bytesToBase64(hexToBytes(data ?? '') as Uint8Array),
        value: bytesToBase64(utf8ToBytes('17')),
        proofOps: { ops: [{ type: op.type, key: bytesToBase64(op.key), data: bytesToBase64(op.data) }] },
        height: String(Math.max(...chain.keys()) - 1),
      },
    }
  },
})

async function codeOf(): Promise<string> {
  const bundle = await rolldown({ input: new URL('page.ts', folder).pathname, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  return output[0].code
}

describe.skipIf(browserProgram === undefined)('the page with a light client', () => {
  const chain = new Map<number, LightBlock>()
  const grow = (to: number): void => {
    for (let height = chain.size + 1; height <= to; height++) chain.set(height, blockOf(CHAIN, height))
  }
  const open: (() => Promise<unknown>)[] = []
  let node: MadeNode
  let browser: Browser
  let origin: string
  let page: Page

  beforeAll(async () => {
    grow(5)
    node = await startMadeNode(chain, undefined, { extra: extra(chain) })
    open.push(async () => node[Symbol.asyncDispose]())
    const [html, code] = [readFileSync(new URL('index.html', folder)), await codeOf()]
    const server = createServer(async (request, response) => {
      if (request.method === 'POST') {
        const chunks: Uint8Array[] = []
        for await (const chunk of request) chunks.push(chunk as Uint8Array)
        response.end(await (await fetch(node.url, { method: 'POST', body: Buffer.concat(chunks) })).text())
      } else if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(code)
      else response.setHeader('content-type', 'text/html').end(html)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(async () => server.close())
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await chromium.launch({ executablePath: browserProgram as string, args: ['--no-sandbox'] })
    open.push(() => browser.close())
  }, 60_000)
  afterAll(async () => {
    for (const close of open.reverse()) await close()
  })

  // Each attempt of a test begins with a new page and a chain of 5 blocks.
  beforeEach(async () => {
    for (const height of chain.keys()) if (height > 5) chain.delete(height)
    page = await browser.newPage({ viewport: { width: 760, height: 700 } })
    await page.goto(origin)
    await page.fill('#url', origin)
    await page.fill('#chain', 'made')
    await page.fill('#hash', bytesToHex(hashOf(blockOf(CHAIN, 1))))
    // The trusting period is long enough for the blocks of the test chain, whose times are in the year 2006.
    await page.fill('#days', '36500')
  })
  afterEach(() => page.close())

  const state = (text: string) => page.locator('#state', { hasText: text }).waitFor()
  const answer = (text: string) => page.locator('#answer', { hasText: text }).waitFor()

  test('the page verifies headers as the chain grows, proves a key, and refuses lies', {
    timeout: 60_000,
  }, async () => {
    await page.click('#trust button')
    await state('Verified up to height 5.')
    grow(8)
    await state('Verified up to height 8.')
    expect(await page.locator('#headers tr.good').count()).toBe(3)

    await page.fill('#key', 'alice')
    await page.click('#query button')
    await answer('Proved at height 7: 17 (3137)')
    await page.fill('#key', 'bob')
    await page.click('#query button')
    await answer('Refused (LIGHT_WRONG_ANSWER)')

    // From now on the node lies about headers and values. If the page received a false header before the answer to the
    // query, the light client would stop. So the node begins to lie in the same turn of the event loop in which the
    // query is sent. The page already has the true header for this query, so only the value in the node's answer is
    // false.
    await page.fill('#key', 'alice')
    await page.evaluate(`document.querySelector('#lie').click(); document.querySelector('#query').requestSubmit()`)
    await answer('Refused (LIGHT_WRONG_ANSWER)')
    grow(12)
    await state('Refused (LIGHT_BAD_BLOCK)')
    expect(await page.locator('#headers tr.bad').count()).toBe(1)
    expect(await page.locator('#headers tr.good').count()).toBe(3)
    if (process.env.HALLEY_PICTURE !== undefined)
      await page.screenshot({ path: process.env.HALLEY_PICTURE, fullPage: true })

    await page.uncheck('#lie')
    await state('Verified up to height 12.')
    await page.click('#query button')
    await answer('Proved at height 11: 17')
  })

  test('the page refuses a wrong hash to trust', async () => {
    await page.fill('#hash', '00'.repeat(32))
    await page.click('#trust button')
    await state('Refused (LIGHT_TRUST_HASH)')
    expect(await page.locator('#headers tr.good').count()).toBe(0)
  })
})
