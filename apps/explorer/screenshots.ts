import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { executable, launchBrowser } from '@org/ui/testing'
import type { Browser, Page } from 'playwright-core'
import { type Devnet, startDevnet } from './test/support/devnet.ts'
import { type Site, startSite } from './test/support/site.ts'

/** Takes the pictures of the README: `pnpm --filter @org/explorer run screenshots`. */
const FOLDER = fileURLToPath(new URL('docs/', import.meta.url))
const SIZE = { width: 1180, height: 860 }
/** The number of blocks before the first picture, so that the curves and the strips of signatures have data. */
const BLOCKS = 40

interface Place {
  readonly browser: Browser
  readonly site: Site
  readonly devnet: Devnet
}

interface Picture {
  readonly name: string
  readonly scheme: 'light' | 'dark'
  /** The address of the screen: the part of the URL after `#/`. */
  readonly place: string
  /** Makes the screen ready for the picture. */
  readonly prepare: (page: Page) => Promise<void>
}

async function take({ browser, site, devnet }: Place, { name, scheme, place, prepare }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: scheme })
  await page.goto(`${site.origin}/?rpc=${devnet.url}#/${place}`)
  await prepare(page)
  await page.screenshot({ path: `${FOLDER}${name}.png` })
  await page.close()
  console.log(`wrote docs/${name}.png`)
}

/**
 * Sends transactions until the chain has enough blocks for the pictures. Sends 1 to 5 transactions at the same time,
 * so that the blocks differ.
 */
async function fill(devnet: Devnet): Promise<{ readonly hash: string; readonly height: number }> {
  for (let turn = 0; ; turn++) {
    const all = await Promise.all(
      Array.from({ length: 1 + ((turn * 7) % 5) }, (_, i) =>
        devnet.sendTx(
          JSON.stringify({ from: `account${i}`, to: `account${turn}`, amount: turn * 100 + i }).replaceAll('=', '') +
            '=1',
        ),
      ),
    )
    const last = all[0]
    if (last !== undefined && last.height >= BLOCKS) return last
  }
}

async function takeOfNetwork(place: Place): Promise<void> {
  const sent = await fill(place.devnet)
  await take(place, {
    name: 'overview',
    scheme: 'light',
    place: '',
    prepare: async (page) => {
      await page.getByRole('img', { name: /^Block intervals: from / }).waitFor()
      await page.getByText('in sync').waitFor()
    },
  })
  await take(place, {
    name: 'consensus',
    scheme: 'dark',
    place: 'consensus',
    prepare: async (page) => {
      const before = page.getByRole('region', { name: /^Before: height \d+, decided after / })
      await before.locator('.timeline circle').nth(7).waitFor()
    },
  })
  await take(place, {
    name: 'block',
    scheme: 'light',
    place: 'verify',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Take the newest block of this node' }).click()
      await page.getByRole('button', { name: 'Start verifying' }).click()
      await page.getByText('The light client runs in this page').waitFor()
      await page.goto(`${page.url().split('#')[0]}#/block/${sent.height}`)
      await page.getByText('✓ verified', { exact: true }).waitFor()
    },
  })
}

async function takeOfControl(place: Place): Promise<void> {
  await take(place, {
    name: 'devnet',
    scheme: 'dark',
    place: 'devnet',
    prepare: async (page) => {
      const log = page.getByRole('log')
      const click = (name: string | RegExp, at = 0) => page.getByRole('button', { name }).nth(at).click()
      await click('Mine 10')
      await log.getByText(/^Mined: height/).waitFor()
      await click('Silence', 2)
      await log.getByText(/does not sign$/).waitFor()
      await click('Mine 10')
      await log
        .getByText(/^Mined: height/)
        .nth(1)
        .waitFor()
      await click('Take a snapshot')
      await log.getByText(/^Snapshot: /).waitFor()
      await click('Double-sign', 3)
      await log.getByText(/signed two votes/).waitFor()
      await page.locator('.strip .missed').first().waitFor()
    },
  })
}

async function main(): Promise<void> {
  if (executable === undefined) return
  await mkdir(FOLDER, { recursive: true })
  const [browser, site] = await Promise.all([launchBrowser(), startSite()])
  try {
    for (const [flags, run] of [
      [['--validators', '4'], takeOfNetwork],
      [['--control', '--validators', '4'], takeOfControl],
    ] as const) {
      const devnet = await startDevnet(...flags)
      await run({ browser, site, devnet }).finally(devnet.stop)
    }
  } finally {
    await browser.close()
    await site.close()
  }
}

await main()
