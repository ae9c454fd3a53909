import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findChromium } from '@org/golden'
import { chromium } from 'playwright-core'

// A program that runs as a separate process, and opens pages of the explorer in a Chromium. The workload starts it
// with the lowest priority of the machine.

/** The screens of the explorer that change with each block. */
const SCREENS = ['', 'blocks', 'validators', 'consensus', 'peers'] as const

/**
 * The options of the process: `{ url, pages }` as JSON in its only argument. For each line on its standard input, the
 * process writes the counts of messages ({@link PagesCounts}).
 */
export interface PagesLoad {
  readonly url: string
  readonly pages: number
}

/** The counts of messages between all pages and the node since the start of the process that opened the pages. */
export interface PagesCounts {
  /** The number of calls that the pages made to the node. */
  readonly requests: number
  /** The number of answers and events that the pages received. */
  readonly messages: number
  readonly bytes: number
}

async function main({ url, pages }: PagesLoad): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('no Chromium is on PATH: install chromium or google-chrome')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const counts = { requests: 0, messages: 0, bytes: 0 }
    for (let i = 0; i < pages; i++) {
      // Each page has a window of its own, because a page in the background would not load new blocks.
      const page = await (await browser.newContext()).newPage()
      page.on('websocket', (socket) => {
        socket.on('framesent', () => counts.requests++)
        socket.on('framereceived', ({ payload }) => {
          counts.messages++
          counts.bytes += payload.length
        })
      })
      await page.goto(`${url}/explorer/#/${SCREENS[i % SCREENS.length]}`)
      await page.locator('.dot.live').waitFor()
    }
    process.stdout.write('ready\n')
    const lines = createInterface({ input: process.stdin })
    lines.on('line', () => process.stdout.write(`${JSON.stringify(counts satisfies PagesCounts)}\n`))
    await once(lines, 'close')
  } finally {
    await browser.close()
  }
}

await main(JSON.parse(process.argv[2] ?? '{}') as PagesLoad)
