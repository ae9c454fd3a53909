import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findChromium, makeTemporaryFolder, type TemporaryFolder } from '@org/golden'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, markdownFiles } from '../src/addresses.ts'
import { buildSite } from '../src/build-site.ts'
import { sidebarOf } from '../src/navigation.ts'
import { writePages } from '../src/write-pages.ts'
import { serveFolder } from './static-server.ts'

const executable = findChromium('the tests of the site need a Chromium, but none is on PATH')

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The paths of the tested pages: one page of each kind. */
const PAGES = [
  '',
  'guide/applications.html',
  'reference/rpc/evidence.html',
  'reference/api/app-level.html',
  'glossary.html',
  'architecture.html',
  'missing.html',
]

const root = new URL('../../../', import.meta.url).pathname
let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder('halley-docs-')
  writePages(root)
  await buildSite({ folder: join(root, 'tooling/docs'), output: folder.path, base: '/halley/' })
}, 600_000)
afterAll(() => folder[Symbol.asyncDispose]())

test('default: the site of the repository is built, and has no dead link', () => {
  for (const page of [
    'index',
    'overview',
    'architecture',
    'packages/simnet',
    'reference/rpc/tx',
    'reference/api/rpc-client',
  ])
    expect(existsSync(join(folder.path, `${page}.html`)), page).toBe(true)
})

test('default: each page is in the list at the left', () => {
  const links = new Set(sidebarOf(root).flatMap(({ items = [] }) => items.map(({ link }) => link)))
  const pages = markdownFiles(root).flatMap((file) => addressOf(file) ?? [])
  expect(pages.length).toBeGreaterThan(60)
  const missing = pages.filter((page) => !links.has(`/${page.replace(/(?:\bindex)?\.md$/, '')}`))
  // The list at the left has a link to every page except the first page.
  expect(missing).toEqual(['index.md'])
})

describe.skipIf(executable === undefined)('in a browser', () => {
  let browser: Browser
  let server: Awaited<ReturnType<typeof serveFolder>>
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable as string, args: ['--no-sandbox'] })
    server = await serveFolder(folder.path, '/halley/')
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  /**
   * Opens the first page. Collects the addresses that the browser then requests, and the error messages that it
   * reports.
   */
  async function open(): Promise<{ page: Page; requested: string[]; errors: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    const requested: string[] = []
    const errors: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${server.origin}/halley/`)
    return { page, requested, errors }
  }

  /** Opens a page in a new window. */
  async function openPage(path: string, options: Parameters<Browser['newPage']>[0]): Promise<Page> {
    const page = await browser.newPage(options)
    await page.goto(`${server.origin}/halley/${path}`)
    await page.locator('h1').waitFor()
    return page
  }

  test.each(['light', 'dark'] as const)(
    'default: axe finds no serious fault in %s colours',
    async (colorScheme) => {
      for (const path of PAGES) {
        const page = await openPage(path, { colorScheme })
        await page.evaluate(AXE)
        const { violations } = await page.evaluate(
          async () =>
            (await (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
              resultTypes: ['violations'],
            })) as AxeResults,
        )
        const faults = violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html}`)
        expect({ path, faults }).toEqual({ path, faults: [] })
        await page.close()
      }
    },
    600_000,
  )

  test('default: on a telephone, no page is wider than the screen, and the menu leads to other pages', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    for (const path of PAGES) {
      const page = await openPage(path, phone)
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
      await page.close()
    }
    const page = await openPage('guide/start.html', phone)
    await page.locator('.VPLocalNav').getByRole('button', { name: 'Menu' }).click()
    await page.locator('.VPSidebar').getByRole('link', { name: 'Testing', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Testing' }).waitFor()
    await page.close()
  })

  test('error: the page for a missing address says so, and links to the first page', async () => {
    const page = await openPage('missing.html', {})
    await page.getByText('This page does not exist').waitFor()
    await page.getByRole('link', { name: 'First page' }).click()
    await page.getByRole('link', { name: 'Start here' }).first().waitFor()
    await page.close()
  })

  test('behavior: a reader follows links and searches, and no request leaves the server', async () => {
    const { page, requested, errors } = await open()
    await page.getByRole('link', { name: 'Packages' }).first().click()
    await page.waitForURL('**/packages/')
    await page.getByRole('link', { name: '@org/light' }).first().click()
    await page.getByRole('heading', { level: 1, name: '@org/light' }).waitFor()
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page
      .getByRole('searchbox')
      .or(page.locator('.VPLocalSearchBox input'))
      .first()
      .fill('words for a first visit')
    await page.locator('.VPLocalSearchBox .result').first().click()
    await page.waitForURL('**/overview.html*')
    expect(errors).toEqual([])
    expect(requested.filter((url) => !url.startsWith(server.origin) && !url.startsWith('data:'))).toEqual([])
    await page.close()
  })
})
