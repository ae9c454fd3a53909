import { findChromium } from '@org/golden'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The path of the program Chromium; `undefined` if PATH has no Chromium. */
export const executable = findChromium('the tests of the pages need a Chromium, but none is on PATH')

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executable as string, args: ['--no-sandbox'] })
}

export interface Opened {
  readonly page: Page
  /** The addresses that the page requested, also those of WebSockets. */
  readonly asked: string[]
  /** The errors in the page, including violations of its content security policy. */
  readonly complaints: string[]
}

/** Opens an address in a new page. */
export async function open(browser: Browser, url: string, width = 1280): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('websocket', (socket) => asked.push(socket.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  return { page, asked, complaints }
}
