import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from '@org/golden'
import { makeScenario } from '@org/simnet/network'
import { executable, launchBrowser } from '@org/ui/testing'
import { type Served, serve } from '@org/ui/testing/serve-files'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildNetwork } from '../build/build-network.ts'
import { digestOf } from './support/digest-entry.ts'

/** Seeds of networks that have crashes, partitions, full disks, lost TCP segments and liars. */
const SEEDS = [2, 7, 11, 23, 42]

const PAGE = `<!doctype html><title>page</title><link rel="icon" href="data:,">
<script type="module">import * as bundle from '/digest.js'; globalThis.bundle = bundle</script>`

describe.skipIf(executable === undefined)('engine and simulator in a browser', () => {
  let browser: Browser
  let served: Served
  let code: string

  beforeAll(async () => {
    await using folder = await makeTemporaryFolder('halley-playground-')
    await buildNetwork({ entry: 'test/support/digest-entry.ts', target: folder.path, name: 'digest.js' })
    code = await readFile(join(folder.path, 'digest.js'), 'utf8')
    served = await serve(
      new Map([
        ['/index.html', PAGE],
        ['/digest.js', code],
      ]),
    )
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    served?.close()
  })

  test('the bundle imports nothing', () => {
    const [found] = /(?:^|[;}])import[ {*("'`].{0,40}/.exec(code) ?? []
    expect(found).toBeUndefined()
  })

  test('the seeds have faults and liars', () => {
    const scenarios = SEEDS.map(makeScenario)
    expect(scenarios.some(({ byzantine }) => byzantine.length > 0)).toBe(true)
    const kinds = new Set(scenarios.flatMap(({ faults }) => faults.map(({ kind }) => kind)))
    expect(kinds.size).toBeGreaterThan(6)
  })

  test.each(SEEDS)('seed %i has the same digest in Chromium and in Node', async (seed) => {
    const page = await browser.newPage()
    await page.goto(served.origin)
    await page.waitForFunction(() => 'bundle' in globalThis)
    const inPage = await page.evaluate(
      (given) => (globalThis as unknown as { bundle: { digestOf: typeof digestOf } }).bundle.digestOf(given),
      seed,
    )
    await page.close()
    expect(inPage).toEqual(await digestOf(seed))
    expect(inPage.violations).toBe(0)
  })
})
