import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { executable, launchBrowser, open } from '@org/ui/testing'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from './support/devnet.ts'
import { type Site, startSite } from './support/site.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(executable === undefined)('accessibility', () => {
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
    // The devnet makes no block after the first call, so both transactions wait for a block. The last call holds one of
    // them: no block may contain a held transaction. The screen of the devnet shows transactions of both kinds.
    await devnet.ask('/dev_automine?enabled=false')
    for (const key of ['waits', 'held']) await devnet.ask(`/broadcast_tx_sync?tx="${key}=1"`)
    await devnet.ask(`/dev_holdTx?held=true&hash=0x${createHash('sha256').update('held=1').digest('hex')}`)
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
    await page.locator('.panel, .problem, [role=alert], main p').first().waitFor()
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

  const SCREENS: readonly (readonly [name: string, place: () => string])[] = [
    ['overview', () => ''],
    ['block', () => `block/${sent.height}`],
    ['transaction', () => `tx/${sent.hash}`],
    ['search', () => 'search?q=tx.height>0'],
    ...['blocks', 'validators', 'consensus', 'peers', 'chain', 'send', 'verify', 'devnet', 'nowhere'].map(
      (name) => [name, () => name] as const,
    ),
  ]

  describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
    test.each(SCREENS)('default: axe finds no serious fault on the screen %s', async (_name, place) => {
      expect(await faultsOf(place(), scheme)).toEqual([])
    })
  })

  test('default: axe finds no serious fault on screens that show an error', async () => {
    for (const scheme of ['light', 'dark'] as const)
      for (const place of ['block/99999999', "search?q=a='b' OR c='d'", 'tx/xyz'])
        expect({ place, faults: await faultsOf(place, scheme) }).toEqual({ place, faults: [] })
  })
})
