import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '@org/golden'
import { blockIntervals } from '../block-times.ts'
import type { PagesCounts, PagesLoad } from '../load/explorer-pages.ts'
import { processorSeconds } from '../processor-time.ts'
import { call, heightOf, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, type RunningNode, startNode } from '../subject.ts'
import { quantile } from '../table.ts'
import type { Measurement, Workload } from './workload.ts'

const PAGES = 10
/**
 * With this pause between blocks, a person can follow the blocks on the screen. Without a pause, the node would make
 * blocks all the time. Then even a page that uses little processor time would delay the blocks.
 */
const CONFIG = { 'consensus.timeout_commit': '"200ms"' }
/** The key `rpc.explorer` is given as a flag, because the reference's configuration file does not have it. */
const FLAGS = ['--rpc.explorer=true']
const TXS_A_SECOND = 20
/** The seconds of each measurement. About 120 blocks are made in this time. */
const SECONDS = 25

const LOAD = new URL('../load/explorer-pages.ts', import.meta.url).pathname

/**
 * Sends transactions at a steady rate until the time is over, so that blocks contain transactions and screens show
 * them.
 */
async function sendTransactions(port: number, seconds: number, tag: string): Promise<void> {
  const transactions = makeTransactions(seconds * TXS_A_SECOND, 250, tag)
  for (let second = 0; second < seconds; second++) {
    const batch = transactions.slice(second * TXS_A_SECOND, (second + 1) * TXS_A_SECOND)
    await Promise.all(batch.map((tx) => call(port, 'broadcast_tx_async', { tx: tx.toString('base64') })))
    await sleep(1000)
  }
}

/** The measurements of one period: the times between its blocks, and the processor time of the node. */
interface Span {
  readonly intervals: readonly number[]
  /** Processor time of the node, in milliseconds. */
  readonly processorMs: number
}

interface Pages {
  readonly counts: () => Promise<PagesCounts>
  readonly close: () => Promise<void>
}

/**
 * Returns the command that starts a program with the lowest priority: the program gets processor time only if no other
 * process needs it. The browser of a user runs on another machine, so the browser of the benchmark must not take
 * processor time from the node. The command `nice` is not enough, because a Chromium that runs as root sets the
 * priorities of its processes itself.
 */
function whenIdle(program: string): readonly [string, ...string[]] {
  if (spawnSync('chrt', ['-i', '0', 'true']).status !== 0) throw new Error('chrt does not work: install util-linux')
  return ['chrt', '-i', '0', program]
}

/** Opens the pages in a Chromium with the lowest priority, and waits until each page shows the chain. */
async function openPages(url: string): Promise<Pages> {
  const load: PagesLoad = { url, pages: PAGES }
  const [program, ...args] = whenIdle(process.execPath)
  const child = spawn(program, [...args, LOAD, JSON.stringify(load)], { stdio: ['pipe', 'pipe', 'inherit'] })
  endWithParent(child)
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  if ((await lines.next()).value !== 'ready') throw new Error('the pages did not open')
  return {
    counts: async () => {
      child.stdin.write('counts\n')
      return JSON.parse(String((await lines.next()).value)) as PagesCounts
    },
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}

interface Found {
  readonly without: Span
  readonly withPages: Span
  /** The number of calls that all pages made to the node during the measurement `withPages`. */
  readonly requests: number
  /** The total size in bytes of the answers and events that all pages received during the measurement `withPages`. */
  readonly bytes: number
}

/** Sends transactions for some seconds, and measures the blocks and the node in this time. */
async function measure({ rpcPort: port, pid }: RunningNode, seconds: number, tag: string): Promise<Span> {
  const [from, before] = [await heightOf(port), await processorSeconds(pid)]
  await sendTransactions(port, seconds, tag)
  const [to, after] = [await heightOf(port), await processorSeconds(pid)]
  return { intervals: await blockIntervals(port, from, to), processorMs: (after - before) * 1000 }
}

async function measureWithPages(node: RunningNode, seconds: number): Promise<Omit<Found, 'without'>> {
  const pages = await openPages(`http://127.0.0.1:${node.rpcPort}`)
  try {
    // The start of the pages uses much processor time, which the result must not include. So the measurement begins two
    // seconds after the start.
    await sleep(2000)
    const before = await pages.counts()
    const withPages = await measure(node, seconds, 'pages')
    const after = await pages.counts()
    return { withPages, requests: after.requests - before.requests, bytes: after.bytes - before.bytes }
  } finally {
    await pages.close()
  }
}

function measurements({ without, withPages, requests, bytes }: Found): readonly Measurement[] {
  const [none, open] = [without.intervals, withPages.intervals]
  const costOf = ({ processorMs, intervals }: Span): number => processorMs / intervals.length
  const p99 = [quantile(none, 0.99), quantile(open, 0.99)] as const
  return [
    { metric: 'block interval p50, no page', value: quantile(none, 0.5), unit: 'ms' },
    { metric: `block interval p50, ${PAGES} pages`, value: quantile(open, 0.5), unit: 'ms' },
    { metric: 'block interval p99, no page', value: p99[0], unit: 'ms' },
    { metric: `block interval p99, ${PAGES} pages`, value: p99[1], unit: 'ms' },
    { metric: 'block interval p99, with pages ÷ without', value: p99[1] / p99[0], unit: '×' },
    { metric: 'processor time of the node per block, no page', value: costOf(without), unit: 'ms' },
    { metric: `processor time of the node per block, ${PAGES} pages`, value: costOf(withPages), unit: 'ms' },
    { metric: 'requests of a page per block', value: requests / open.length / PAGES, unit: '' },
    { metric: 'answers and events of a page per block', value: bytes / open.length / PAGES / 1000, unit: 'kB' },
  ]
}

/** Measures the time between blocks twice: first without pages of the explorer, and then with open pages. */
export const explorerPages: Workload = {
  name: 'explorer',
  about: `block interval p50 and p99 without pages, and with ${PAGES} open pages of /explorer in Chromium; the two measurements alternate`,
  run: async ({ subject, directory, smoke }): Promise<readonly Measurement[]> => {
    const home = await makeHome(subject, join(directory, 'home'), CONFIG)
    const node = await startNode(subject, { ...home, flags: FLAGS })
    const seconds = smoke ? 3 : SECONDS
    try {
      await waitForHeight(node.rpcPort, 5)
      const without = await measure(node, seconds, 'none')
      return measurements({ without, ...(await measureWithPages(node, seconds)) })
    } finally {
      await node.stop()
    }
  },
}
