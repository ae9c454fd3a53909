import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeTemporaryFolder } from '@org/golden'
import { executable, launchBrowser, open } from '@org/ui/testing'
import { type Served, serve } from '@org/ui/testing/serve-files'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPlayground } from '../build/build-playground.ts'
import { SCENARIOS } from '../src/scenarios/index.ts'
import type { Scenario } from '../src/scenarios/scenario.ts'
import { writeRun } from '../src/session/run-address.ts'

const MOST_GZIP_BYTES = 400_000
const PHONE_WIDTH = 390
const SLOW_MACHINE = { timeout: 50_000 }

describe.skipIf(executable === undefined)('the page', () => {
  const files = new Map<string, Uint8Array>()
  let browser: Browser
  let served: Served

  beforeAll(async () => {
    await using folder = await makeTemporaryFolder('halley-playground-')
    await buildPlayground(folder.path)
    for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) files.set(`/${relative(folder.path, path)}`, await readFile(path))
    }
    served = await serve(files)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    served?.close()
  })

  const digestOf = (page: Page): Promise<string | null> => page.textContent('.digest', SLOW_MACHINE)

  /** Opens the address of a run, and waits until the nodes have reached the moment in the address. */
  async function openRun(run: string, width?: number) {
    const opened = await open(browser, `${served.origin}/#${run}`, width)
    await opened.page.locator('.digest').waitFor(SLOW_MACHINE)
    return opened
  }

  test('the files of the page are small', () => {
    const bytes = [...files].reduce((sum, [, file]) => sum + gzipSync(file).length, 0)
    console.log(`the playground: ${bytes} bytes of gzip, with the planted bugs`)
    expect(bytes).toBeLessThan(MOST_GZIP_BYTES)
  })

  test('the page shows a moment of a run, asks no other host, and breaks no policy', async () => {
    const { page, asked, complaints } = await openRun('seed=3&n=4&t=2600')
    expect(await page.textContent('.clock')).toContain('2.600 s')
    expect(await page.locator('.chain li').count()).toBe(2)
    expect(await page.getByRole('button', { name: /^n0: height 3/ }).count()).toBe(1)
    expect(asked.filter((url) => !url.startsWith(served.origin))).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a user crashes a node, and shares the moment', async () => {
    const { page, complaints } = await openRun('seed=3&n=4&t=1500')
    await page.getByRole('button', { name: /^n2:/ }).click()
    await page.getByRole('button', { name: 'Crash', exact: true }).click()
    await page.getByRole('button', { name: /^n2: crashed/ }).waitFor(SLOW_MACHINE)
    await page.getByRole('button', { name: 'Next message' }).click()
    await expect.poll(() => page.textContent('.clock')).not.toContain('1.500 s')
    await page.getByRole('button', { name: 'Share this moment' }).click()
    await expect.poll(() => page.url()).toContain('crash.2')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the same address gives the same digest, and another seed gives another one', async () => {
    const run = 'seed=7&n=4&do=1200000.cut.0.1~2100000.crash.3&t=3000'
    const digests: (string | null)[] = []
    for (const each of [run, run, run.replace('seed=7', 'seed=8')]) {
      const { page } = await openRun(each)
      digests.push(await digestOf(page))
      await page.close()
    }
    expect(digests[0]).toBe(digests[1])
    expect(digests[0]).not.toBe(digests[2])
  })

  test('the page confirms the claims of a scenario, and the right answer', async () => {
    const { page } = await openRun('find=split-vote&seed=1&n=4&do=2500000.split.2.3~4500000.join&t=7500')
    expect(await page.locator('.claims .seen').count()).toBe(3)
    await page.getByRole('button', { name: /two different blocks could each get a majority/ }).click()
    expect(await page.textContent('.answer')).toContain('Right.')
    await page.close()
  })

  test.each([
    ['with', 'power-half', 3],
    ['without', undefined, 1],
  ])('%s the planted bug in the address, the page shows what the nodes then do', async (_with, bug, count) => {
    const { setup, actions, lastsMs } = SCENARIOS.find(({ id }) => id === 'bug-half') as Scenario
    const { page } = await openRun(`find=bug-half&${writeRun({ setup, actions, until: lastsMs, bug })}`)
    expect(await page.locator('.claims .seen').count()).toBe(count)
    expect(await page.getByRole('alert', { name: 'Broken rules' }).count()).toBe(bug === undefined ? 0 : 1)
    await page.close()
  })

  test('time passes after Play, and stands still after Pause', async () => {
    const { page } = await openRun('find=lost-proposal')
    await page.getByRole('button', { name: 'Play' }).click()
    await expect.poll(() => page.textContent('.clock'), SLOW_MACHINE).not.toContain('0.000 s')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.locator('.digest').waitFor(SLOW_MACHINE)
    const digest = await digestOf(page)
    // Some events do not change the digest, so the test makes steps until the digest changes.
    const step = async (): Promise<string | null> => {
      await page.getByRole('button', { name: 'Next event' }).click()
      return digestOf(page)
    }
    await expect.poll(step, SLOW_MACHINE).not.toBe(digest)
    await page.close()
  })

  test('Escape closes the help, which gives the focus back; no other key acts while the help is open', async () => {
    const { page, complaints } = await openRun('seed=3&n=4&t=1100')
    const help = page.getByRole('button', { name: 'Help' })
    const dialog = page.getByRole('dialog', { name: 'Help' })
    await help.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    const address = page.url()
    await page.keyboard.press('n')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(page.url()).toBe(address)
    expect(await help.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('an address that names no possible network opens a new network, and the page says so', async () => {
    const { page } = await openRun('seed=3&n=4000')
    expect(await page.textContent('.notice')).toContain('names no network')
    await page.close()
  })

  test('the page fits on a phone', async () => {
    const { page } = await openRun('seed=3&n=7&t=1100', PHONE_WIDTH)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE_WIDTH)
    await page.close()
  })

  test.each(['light', 'dark'] as const)('axe finds no serious fault in %s colours', async (scheme) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const { page } = await open(browser, 'about:blank')
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${served.origin}/#find=split-vote&seed=1&n=4&t=2900`)
    await page.locator('.digest').waitFor(SLOW_MACHINE)
    for (const panel of ['the scenario', 'a node']) {
      if (panel === 'a node') await page.getByRole('button', { name: /^n1:/ }).click()
      await page.evaluate(axe)
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
      )
      const faults = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      expect({ panel, faults }).toEqual({ panel, faults: [] })
    }
    await page.close()
  })
})
