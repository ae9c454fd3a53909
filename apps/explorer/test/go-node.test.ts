import { findProgram } from '@org/golden'
import { executable, launchBrowser, open } from '@org/ui/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from './support/devnet.ts'
import { startGoNode } from './support/go-node.ts'
import { type Site, startSite } from './support/site.ts'

const cometbft = findProgram('cometbft')
if (cometbft === undefined)
  console.log('skipped: the explorer beside a Go node needs cometbft on PATH, or COMETBFT_BIN')

describe.skipIf(executable === undefined || cometbft === undefined)('the screens, beside a Go node', () => {
  let browser: Browser
  let site: Site
  let node: Devnet
  let hash: string

  beforeAll(async () => {
    ;[browser, site, node] = await Promise.all([launchBrowser(), startSite(), startGoNode()])
    hash = (await node.sendTx('name=satoshi')).hash
  })
  afterAll(async () => {
    await browser?.close()
    await node?.stop()
    await site?.close()
  })

  const SCREENS: readonly (readonly [place: () => string, text: string | RegExp])[] = [
    [() => '', 'in sync'],
    [() => 'blocks', /^\d+$/],
    [() => 'block/1', '1 of 1 validators signed in round 0, with 100 % of the power.'],
    [() => `tx/${hash}`, '✓ The proof is right'],
    [() => "search?q=app.key='name'", '1 found'],
    [() => 'validators', '1 validator, power 10'],
    [() => 'consensus', /^Before: height \d+, decided after/],
    [() => 'peers', 'This node has no peers.'],
    [() => 'chain', 'at most 100,000 blocks and 2 days'],
    [() => 'send', 'Send a transaction'],
    [() => 'verify', 'Start the light client'],
    [() => 'devnet', 'This node does not let the page control its chain.'],
  ]

  test.each(SCREENS)('default: %s', async (place, text) => {
    const { page, complaints } = await open(browser, `${site.origin}/?rpc=${node.url}#/${place()}`)
    await page.locator('main').getByText(text).first().waitFor()
    expect(await page.getByRole('link', { name: 'Devnet' }).count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('default: a transaction is sent to the Go node', async () => {
    const { page } = await open(browser, `${site.origin}/?rpc=${node.url}#/send`)
    await page.getByLabel('Transaction', { exact: true }).fill('comet=halley')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('0 (accepted)').waitFor()
  })
})
