import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { makeTemporaryFolder, type TemporaryFolder } from '@org/golden'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSite } from '../src/build-site.ts'
import { writePages } from '../src/write-pages.ts'
import { serveFolder } from './static-server.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const executable = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => existsSync(file))
if (executable === undefined) console.log('skipped: the site is opened in a Chromium, and none is on PATH')

const root = new URL('../../../', import.meta.url).pathname
let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder('halley-docs-')
  writePages(root)
  await buildSite({ folder: join(root, 'tooling/docs'), output: folder.path, base: '/halley/' })
}, 120_000)
afterAll(() => folder[Symbol.asyncDispose]())

test('default: the site of the repository is built, and no link is dead', () => {
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

  /** Opens the first page, and collects the addresses that pages request and their error messages. */
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
