import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executable, launchBrowser, open } from './support/browser.ts'
import { type Devnet, startDevnet } from './support/devnet.ts'
import { type Site, startSite } from './support/site.ts'

describe.skipIf(executable === undefined)('more screens, beside a network of two validators', () => {
  let browser: Browser
  let site: Site
  let devnet: Devnet

  beforeAll(async () => {
    ;[browser, site, devnet] = await Promise.all([launchBrowser(), startSite(), startDevnet('--validators', '2')])
  })
  afterAll(async () => {
    await browser?.close()
    await devnet?.stop()
    await site?.close()
  })

  const at = (place: string): string => `${site.origin}/?rpc=${devnet.url}#/${place}`

  test('default: consensus shows the votes of both validators, the lock and the decision', async () => {
    const { page, complaints } = await open(browser, at('consensus'))
    const before = page.getByRole('region', { name: /^Before: height \d+, decided after / })
    await before.waitFor()
    const bars = before.getByRole('img', { name: /^100 % of the power voted for the block/ })
    await expect.poll(() => bars.count()).toBe(2)
    await expect.poll(() => before.locator('.timeline circle').count()).toBeGreaterThanOrEqual(4)
    await before.getByText(/locked after/).waitFor()
    await before.getByText(/1 part, complete after/).waitFor()
    await page.getByText('Height, round, step').first().waitFor()
    const height = await before.getAttribute('aria-label')
    await expect.poll(() => before.getAttribute('aria-label')).not.toBe(height)
    expect(complaints).toEqual([])
  })

  test('default: peers have their traffic', async () => {
    const { page, complaints } = await open(browser, at('peers'))
    await page.getByText('1 peer').waitFor()
    const row = page.locator('tbody tr')
    await row.getByText('127.0.0.1').waitFor()
    expect(await row.textContent()).toMatch(/[\d.]+ k?B\/s/)
    expect(complaints).toEqual([])
  })

  test('default: genesis, parameters and the node', async () => {
    const { page, complaints } = await open(browser, at('chain'))
    await page.getByText('at most 100,000 blocks and 2 days').waitFor()
    const genesis = JSON.parse(
      (await page.getByRole('region', { name: 'Genesis' }).locator('pre').first().textContent()) ?? '',
    )
    const { genesis: wanted } = await devnet.ask('/genesis')
    expect(genesis).toEqual(wanted)
    expect(complaints).toEqual([])
  })

  test('default: a transaction is sent, found in its block, and the application has its value', async () => {
    const { page, complaints } = await open(browser, at('send'))
    await page.getByLabel('Transaction', { exact: true }).fill('comet=halley')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('0 (accepted)').waitFor()
    await page.getByLabel('Data', { exact: true }).fill('comet')
    await page.getByRole('button', { name: 'Query' }).click()
    await page.getByText('0 (ok)').waitFor()
    await page.getByRole('region', { name: 'the value as Text' }).getByText('halley', { exact: true }).waitFor()
    await page.getByLabel('Form of transaction').selectOption('hex')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('an even number of hex digits is expected').waitFor()
    expect(complaints).toEqual([])
  })

  test('default: the search completes keys that the chain has, and finds transactions and blocks', async () => {
    await devnet.sendTx('planet=earth')
    const { page, complaints } = await open(browser, at('search'))
    const field = page.getByRole('combobox')
    await field.fill('app.k')
    await page.getByRole('option', { name: 'app.key', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: '=', exact: true }).click()
    await field.pressSequentially("'planet'")
    await page.keyboard.press('Enter')
    await page.getByText('1 found').waitFor()
    await page.reload()
    await page.getByText('1 found').waitFor()
    await page.goto(at(`search?in=blocks&q=${encodeURIComponent('block.height < 4')}`))
    await page.getByText('3 found').waitFor()
    expect(complaints).toEqual([])
  })

  test('error: a query that the node refuses is explained', async () => {
    const { page } = await open(browser, at(`search?q=${encodeURIComponent("app.key='a' OR app.key='b'")}`))
    await page.getByText('The query language has no OR').waitFor()
    await page.getByRole('alert').getByText('The node refused the call.').waitFor()
  })
})

describe.skipIf(executable === undefined)('the buttons of a devnet', () => {
  let browser: Browser
  let site: Site
  let devnet: Devnet

  beforeAll(async () => {
    ;[browser, site, devnet] = await Promise.all([
      launchBrowser(),
      startSite(),
      startDevnet('--control', '--validators', '4'),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await devnet?.stop()
    await site?.close()
  })

  test('default: blocks, time, snapshots and faults, with what follows on the page', async () => {
    const { page, complaints } = await open(browser, `${site.origin}/?rpc=${devnet.url}#/`)
    await page.getByRole('link', { name: 'Devnet' }).click()
    const log = page.getByRole('log')
    await page.getByRole('button', { name: 'Mine 10', exact: true }).click()
    const mined = Number(/height (\d+)/.exec((await log.getByText('Mined: height').textContent()) ?? '')?.[1])
    await page.getByRole('link', { name: String(mined), exact: true }).waitFor()
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await page.getByRole('button', { name: '+ 1 day' }).click()
    await log.getByText(/The clock of the chain: /).waitFor()
    await page.getByRole('button', { name: 'Mine a block' }).click()
    await page.getByRole('link', { name: String(mined + 1), exact: true }).waitFor()
    await page.getByRole('button', { name: /^Revert to / }).click()
    await log.getByText(`Reverted: height ${mined}`).waitFor()
    await expect.poll(() => page.locator('[data-row]').first().textContent()).toBe(String(mined))
    // The validator that answers the calls cannot be ended: the node says so.
    for (let row = 0; (await log.locator('.bad').count()) === 0; row++) {
      const lines = await log.locator('li').count()
      await page.getByRole('button', { name: 'Crash' }).nth(row).click()
      await expect.poll(() => log.locator('li').count()).toBe(lines + 1)
      if ((await log.locator('.bad').count()) > 0) break
      await page.getByRole('button', { name: 'Restart' }).nth(row).click()
      await expect.poll(() => log.locator('li').count()).toBe(lines + 2)
    }
    await page.getByRole('button', { name: 'Double-sign' }).last().click()
    await log.getByText(/^Double-sign: [0-9A-F]{8} signed twice: the evidence is in a block$/).waitFor()
    const { last_height: height } = (await devnet.ask('/blockchain')) as { readonly last_height: string }
    await expect.poll(() => page.locator('[data-row]').first().textContent()).toBe(height)
    expect(complaints).toEqual([])
    const blocks = Number(height)
    for (let each = blocks; each > mined; each--) {
      const { block } = (await devnet.ask(`/block?height=${each}`)) as {
        readonly block: { readonly evidence: { readonly evidence: readonly unknown[] } }
      }
      if (block.evidence.evidence.length === 0) continue
      await page.goto(`${site.origin}/?rpc=${devnet.url}#/block/${each}`)
      await page.getByText('two votes in one round').waitFor()
      return
    }
    expect.unreachable('no block has the evidence')
  })
})
