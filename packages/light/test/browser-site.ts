import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findChromium } from '@org/golden'
import { chromium, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'

/** The path of a Chromium, or `undefined` if none is on `PATH`. */
export const browserProgram = findChromium('tests in a browser need a Chromium on PATH')

const PAGE = `<!doctype html><title>page</title><link rel="icon" href="data:,">
<script type="module">import * as bundle from '/bundle.js'; globalThis.bundle = bundle</script>`

async function bundleOf(entry: string): Promise<string> {
  const input = new URL(entry, import.meta.url).pathname
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}

export interface BrowserSite {
  readonly origin: string
  /** Opens a page of the site, in which `globalThis.bundle` has the exports of the module. */
  readonly page: () => Promise<Page>
  readonly close: () => Promise<void>
}

/** Starts a site and a Chromium. The pages of the site load a bundled module of this folder. */
export async function openSite(entry: string): Promise<BrowserSite> {
  const code = await bundleOf(entry)
  const server = createServer((request, response) => {
    if (request.url === '/bundle.js') response.setHeader('content-type', 'text/javascript').end(code)
    else response.setHeader('content-type', 'text/html').end(PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await chromium.launch({ executablePath: browserProgram as string, args: ['--no-sandbox'] })
  // All pages belong to one browser context, so they share the same storage.
  const context = await browser.newContext()
  return {
    origin,
    page: async () => {
      const page = await context.newPage()
      await page.goto(origin)
      await page.waitForFunction(() => 'bundle' in globalThis)
      return page
    },
    close: async () => {
      await browser.close()
      server.close()
    },
  }
}
