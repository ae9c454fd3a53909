import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findChromium } from '@org/golden'
import { chromium } from 'playwright-core'
import { blockIntervals } from '../block-times.ts'
import { call, heightOf, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, startNode } from '../subject.ts'
import { quantile } from '../table.ts'
import type { Measurement, Workload } from './workload.ts'

const PAGES = 10
/** The pages show all screens that follow the chain. */
const SCREENS = ['', 'blocks', 'validators', 'consensus', 'peers'] as const
/**
 * The interval between blocks is one at which a person can follow them. If blocks were made without a pause, blocks and
 * pages would compete for the processors, however cheap a page is.
 */
const CONFIG = { 'consensus.timeout_commit': '"200ms"' }
/** A key that the reference's file does not have. */
const FLAGS = ['--rpc.explorer=true']
const TURNS = 5

/** Sends transactions at a steady rate until the time is over, so that blocks and screens have something to do. */
async function sendTransactions(port: number, seconds: number, tag: string): Promise<void> {
  const transactions = makeTransactions(seconds * 20, 250, tag)
  for (let second = 0; second < seconds; second++) {
    const batch = transactions.slice(second * 20, second * 20 + 20)
    await Promise.all(batch.map((tx) => call(port, 'broadcast_tx_async', { tx: tx.toString('base64') })))
    await sleep(1000)
  }
}

/** The times between the blocks of the next seconds. */
async function measure(port: number, seconds: number, tag: string): Promise<readonly number[]> {
  const from = await heightOf(port)
  await sendTransactions(port, seconds, tag)
  return blockIntervals(port, from, await heightOf(port))
}

/** Opens the pages in a Chromium, and waits until each one shows the chain. */
async function openPages(executablePath: string, url: string) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  for (let i = 0; i < PAGES; i++) {
    // A window of its own: a page in the background would follow nothing.
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${url}/explorer/#/${SCREENS[i % SCREENS.length]}`)
    await page.locator('.dot.live').waitFor()
  }
  return browser
}

/** Measures the time between blocks without and with open pages of the explorer, in turn. */
export const explorerPages: Workload = {
  name: 'explorer',
  about: `block interval p50 and p99 without pages, and with ${PAGES} open pages of /explorer in a Chromium, in turn`,
  run: async ({ subject, directory, smoke }): Promise<readonly Measurement[]> => {
    const executablePath = findChromium()
    if (executablePath === undefined) throw new Error('no Chromium is on PATH: install chromium or google-chrome')
    const home = await makeHome(subject, join(directory, 'home'), CONFIG)
    const node = await startNode(subject, { ...home, flags: FLAGS })
    const seconds = smoke ? 3 : 20
    const [without, withPages]: [number[], number[]] = [[], []]
    try {
      const port = node.rpcPort
      await waitForHeight(port, 5)
      for (let turn = 0; turn < (smoke ? 1 : TURNS); turn++) {
        without.push(...(await measure(port, seconds, `w${turn}-`)))
        const browser = await openPages(executablePath, `http://127.0.0.1:${port}`)
        try {
          // The start of ten pages takes the processors from the node; the figure is about pages that are open.
          await sleep(3000)
          withPages.push(...(await measure(port, seconds, `p${turn}-`)))
        } finally {
          await browser.close()
        }
      }
    } finally {
      await node.stop()
    }
    const p99 = [quantile(without, 0.99), quantile(withPages, 0.99)] as const
    return [
      { metric: 'block interval p50, no page', value: quantile(without, 0.5), unit: 'ms' },
      { metric: `block interval p50, ${PAGES} pages`, value: quantile(withPages, 0.5), unit: 'ms' },
      { metric: 'block interval p99, no page', value: p99[0], unit: 'ms' },
      { metric: `block interval p99, ${PAGES} pages`, value: p99[1], unit: 'ms' },
      { metric: 'block interval p99, pages ÷ none', value: p99[1] / p99[0], unit: '×' },
    ]
  },
}
