import { gzipSync } from 'node:zlib'
import { executable, launchBrowser, open } from '@org/ui/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from './support/devnet.ts'
import { type Site, startSite } from './support/site.ts'

describe.skipIf(executable === undefined)('the screens, beside a live node', () => {
  let browser: Browser
  let site: Site
  let devnet: Devnet
  let sent: { readonly hash: string; readonly height: number }

  beforeAll(async () => {
    ;[browser, site, devnet] = await Promise.all([launchBrowser(), startSite(), startDevnet()])
    sent = await devnet.sendTx('name=<img src=x onerror=alert(1)>')
  })
  afterAll(async () => {
    await browser?.close()
    await devnet?.stop()
    await site?.close()
  })

  const at = (place: string): string => `${site.origin}/?rpc=${devnet.url}#/${place}`

  test('default: the overview follows the height of the chain', async () => {
    const { page, asked, complaints } = await open(browser, at(''))
    const height = page.locator('[data-height]')
    const first = Number(await height.textContent())
    await expect.poll(async () => Number(await height.textContent())).toBeGreaterThan(Math.max(first, sent.height) + 1)
    await page.getByText('in sync').waitFor()
    await page.getByRole('img', { name: /^Block intervals: from / }).waitFor()
    const hosts = new Set(asked.map((url) => new URL(url).host))
    expect([...hosts].sort()).toEqual([new URL(site.origin).host, new URL(devnet.url).host].sort())
    expect(complaints).toEqual([])
  })

  test('default: the list of blocks grows, and its rows lead to blocks by keyboard', async () => {
    const { page, complaints } = await open(browser, at('blocks'))
    await page.locator('[data-row]').nth(1).waitFor()
    const top = await page.locator('[data-row]').first().textContent()
    await expect.poll(() => page.locator('[data-row]').first().textContent()).not.toBe(top)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Block \d+$/ }).waitFor()
    const height = Number(/\d+$/.exec(page.url())?.[0])
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('heading', { name: `Block ${height - 1}` }).waitFor()
    expect(complaints).toEqual([])
  })

  test('default: a page of older blocks has an address, and is the same after a reload', async () => {
    const { page } = await open(browser, at('blocks?from=2'))
    await page.locator('[data-row]').nth(1).waitFor()
    await page.reload()
    await page.locator('[data-row]').nth(1).waitFor()
    expect(await page.locator('[data-row]').allTextContents()).toEqual(['2', '1'])
  })

  test('default: the screen of a block shows its header, signatures, transactions and events', async () => {
    const { page, complaints } = await open(browser, at(`block/${sent.height}`))
    await page.getByText('1 of 1 validators signed in round 0, with 100 % of the power.').waitFor()
    const { block_id: id } = await devnet.ask(`/block?height=${sent.height}`)
    await page.getByText((id as { readonly hash: string }).hash, { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Transactions' }).last().getByRole('link').click()
    await page.waitForURL(new RegExp(`#/tx/${sent.hash}$`))
    expect(complaints).toEqual([])
  })

  test('default: the screen of a transaction shows its bytes, result, events and a verified proof', async () => {
    const { page, complaints } = await open(browser, at(`tx/${sent.hash}`))
    await page.getByText('✓ The proof is right').waitFor()
    await page.getByText('0 (ok)').waitFor()
    await page.getByText('creator').first().waitFor()
    await page.getByText('name=<img src=x onerror=alert(1)>').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByRole('button', { name: 'Hex', exact: true }).click()
    await page.getByText(Buffer.from('name=<img src=x onerror=alert(1)>').toString('hex').toUpperCase()).waitFor()
    expect(complaints).toEqual([])
  })

  test('default: the raw JSON of an answer is that of the node, and its curl command gets the same answer', async () => {
    const { page } = await open(browser, at(`tx/${sent.hash}`))
    await page.getByText('Raw JSON and curl').click()
    const call = page.getByRole('region', { name: 'The call tx', exact: true })
    const curl = (await call.locator('.curl code').textContent()) ?? ''
    expect(curl).toContain(`curl -s '${devnet.url}'`)
    const body = / -d '(.*)'$/.exec(curl)?.[1] ?? ''
    const answer = await fetch(devnet.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result } = (await answer.json()) as { readonly result: unknown }
    expect(JSON.parse((await call.locator('pre').textContent()) ?? '')).toEqual({ result })
  })

  test('error: a block that the chain does not have, and a wrong hash, are explained', async () => {
    const { page } = await open(browser, at('block/99999999'))
    await page.getByText('The chain does not have this block yet.').waitFor()
    await page.goto(at('tx/xyz'))
    await page.getByText('64 hex digits are expected').waitFor()
    for (const name of ['nowhere', 'constructor', '__proto__', 'toString/1']) {
      await page.goto(at(name))
      await page.getByText(`no screen with the name “${name.split('/')[0]}”`).waitFor()
    }
    for (const name of ['', '0', '-5', '1.5', 'abc', '9007199254740993']) {
      await page.goto(at(`block/${name}`))
      await page.getByText('is not a height: a whole number from 1 is expected').waitFor()
      await page.goto(at(''))
    }
    await page.goto(at('hash/abcd'))
    await page.getByText('64 hex digits are expected').waitFor()
    await page.goto(at(`hash/${'AB'.repeat(32)}`))
    await page.getByText('The node has no block and no transaction with this hash.').waitFor()
    await page.goto(at('blocks?from=99999999'))
    await page.getByText('The chain does not have these blocks yet.').waitFor()
  })

  test('default: the screen of the validators shows their power and a strip of the blocks that they signed', async () => {
    const { page, complaints } = await open(browser, at('validators'))
    await page.getByText('1 validator, power 10').waitFor()
    const strip = page.locator('svg.strip')
    await expect
      .poll(() => strip.getAttribute('aria-label'))
      .toMatch(/^signed [1-9]\d*, nil 0, missed 0 of the last \d+ blocks$/)
    expect(complaints).toEqual([])
  })

  test('default: the search leads to a height, to a transaction and to a block by its hash', async () => {
    const { page } = await open(browser, at(''))
    await page.getByText('in sync').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(String(sent.height))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Block ${sent.height}`, exact: true }).waitFor()
    await page.getByRole('searchbox').fill(sent.hash)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor()
    const { block_id: id } = await devnet.ask('/block?height=1')
    await page.getByRole('searchbox').fill((id as { readonly hash: string }).hash.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Block 1', exact: true }).waitFor()
  })

  test('default: help opens with ?, and the colours follow the switch over a reload', async () => {
    const { page } = await open(browser, at(''))
    await page.getByText('in sync').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('next and previous row of a list').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    const colour = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await colour()
    await page.keyboard.press('t')
    await page.keyboard.press('t')
    const dark = await colour()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.getByText('in sync').waitFor()
    expect(await colour()).toBe(dark)
  })

  test('default: no screen is wider than a phone', async () => {
    const OTHERS = ['validators', 'search', 'consensus', 'peers', 'chain', 'send', 'verify']
    for (const place of ['', 'blocks', `block/${sent.height}`, `tx/${sent.hash}`, ...OTHERS]) {
      const { page } = await open(browser, at(place), 360)
      await page.locator('main .panel').first().waitFor()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ place, wide }).toEqual({ place, wide: 0 })
      await page.close()
    }
  })

  test('default: the texts in the picture of the votes can be read on a phone', async () => {
    const { page } = await open(browser, at('consensus'), 390)
    const text = page.locator('.timeline text').first()
    await text.waitFor()
    expect((await text.boundingBox())?.height).toBeGreaterThan(8)
  })

  test('bound: the files of the first screen have less than 150 kB when compressed', async () => {
    const { page, asked } = await open(browser, at(''))
    await page.getByText('in sync').waitFor()
    const needed = asked.map((url) => new URL(url).pathname).filter((path) => site.files.has(path))
    const sizeOf = (paths: readonly string[]): number =>
      paths.reduce((sum, path) => sum + gzipSync(site.files.get(path) as Uint8Array).length, 0)
    const [first, all] = [sizeOf(['/index.html', ...needed]), sizeOf([...site.files.keys()])]
    console.log(`explorer: the first screen needs ${first} bytes with gzip, and all screens ${all} bytes`)
    expect(needed.some((path) => path.endsWith('.js'))).toBe(true)
    expect(first).toBeLessThan(150_000)
    expect(all).toBeLessThan(250_000)
  })
})
