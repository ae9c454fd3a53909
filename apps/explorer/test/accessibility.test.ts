import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executable, launchBrowser, open } from './support/browser.ts'
import { type Devnet, startDevnet } from './support/devnet.ts'
import { type Site, startSite } from './support/site.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(executable === undefined)('axe finds no serious fault', () => {
  let browser: Browser
  let site: Site
  let devnet: Devnet
  let sent: { readonly hash: string; readonly height: number }

  beforeAll(async () => {
    ;[browser, site, devnet] = await Promise.all([
      launchBrowser(),
      startSite(),
      startDevnet('--control', '--validators', '4'),
    ])
    sent = await devnet.sendTx('{"name":"satoshi"}=1')
  })
  afterAll(async () => {
    await browser?.close()
    await devnet?.stop()
    await site?.close()
  })

  async function faultsOf(place: string, scheme: 'light' | 'dark'): Promise<readonly string[]> {
    const { page } = await open(browser, 'about:blank')
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${site.origin}/?rpc=${devnet.url}#/${place}`)
    await page.locator('h1').waitFor()
    if (place !== 'nowhere') await page.locator('.panel').first().waitFor()
    await page.evaluate(AXE)
    const { violations } = await page.evaluate(
      async () =>
        (await (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run()) as AxeResults,
    )
    await page.close()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }

  test.each(['light', 'dark'] as const)('default: on every screen, in %s colours', async (scheme) => {
    const places = ['', 'blocks', `block/${sent.height}`, `tx/${sent.hash}`, 'search?q=tx.height>0', 'validators']
    for (const place of [...places, 'consensus', 'peers', 'chain', 'send', 'verify', 'devnet', 'nowhere'])
      expect({ place, faults: await faultsOf(place, scheme) }).toEqual({ place, faults: [] })
  })
})
