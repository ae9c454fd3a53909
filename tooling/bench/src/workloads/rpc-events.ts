import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockTimes } from '../block-times.ts'
import type { Arrivals, EventLoad } from '../load/event-load.ts'
import { call, heightOf, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, startNode } from '../subject.ts'
import { quantile } from '../table.ts'
import type { Measurement, Workload } from './workload.ts'

const BLOCK_SUBSCRIBERS = 1000
const TX_SUBSCRIBERS = 200
const TXS_A_SECOND = 100
const TX_SIZE = 40
const PACE = '"100ms"'

const LOAD = new URL('../load/event-load.ts', import.meta.url).pathname

/** When each block was decided, as the header of the next says: the time of the vote for it. */
async function decisionTimes(port: number, from: number, to: number): Promise<Map<number, number>> {
  const times = await blockTimes(port, from, to + 1)
  return new Map([...times].map(([height, time]) => [height - 1, time]))
}

/** A few transactions ten times a second, whether or not the last ones were answered. */
function startTransactions(port: number): { readonly stop: () => Promise<void> } {
  let isOver = false
  let round = 0
  const run = async (): Promise<void> => {
    while (!isOver) {
      for (const tx of makeTransactions(TXS_A_SECOND / 10, TX_SIZE, `e${round++}`))
        call(port, 'broadcast_tx_async', { tx: tx.toString('base64') }).catch(() => undefined)
      await sleep(100)
    }
  }
  const running = run()
  return {
    stop: async () => {
      isOver = true
      await running
    },
  }
}

async function follow(load: EventLoad, measure: () => Promise<void>): Promise<readonly Arrivals[]> {
  const child = spawn(process.execPath, [LOAD, JSON.stringify(load)], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    let text = ''
    const ready = Promise.withResolvers<void>()
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.startsWith('ready\n')) ready.resolve()
    })
    child.on('exit', () => ready.reject(new Error('the subscribers ended')))
    await ready.promise
    await measure()
    const ended = once(child, 'close')
    child.stdin.write('stop\n')
    await ended
    return JSON.parse(text.slice('ready\n'.length)) as Arrivals[]
  } finally {
    child.kill('SIGKILL')
  }
}

/** Between the blocks that were decided in a span of time. */
function gapsOf(times: ReadonlyMap<number, number>, { from, to }: Span): number[] {
  const inside = [...times.values()].filter((time) => time >= from && time <= to).toSorted((x, y) => x - y)
  return inside.slice(1).map((time, i) => time - (inside[i] as number))
}

/** In milliseconds since 1970. */
interface Span {
  readonly from: number
  readonly to: number
}

const now = (): number => performance.timeOrigin + performance.now()

async function spanOf(seconds: number): Promise<Span> {
  const from = now()
  await sleep(seconds * 1000)
  return { from, to: now() }
}

/** Many who listen, while blocks with transactions come at a pace. */
export const rpcEvents: Workload = {
  name: 'rpc-events',
  about: `${BLOCK_SUBSCRIBERS.toLocaleString('en')} subscribers of NewBlock and ${TX_SUBSCRIBERS} of Tx, ${TXS_A_SECOND} tx/s, 100 ms between blocks: deliveries, lag, block interval`,
  run: async ({ subject, directory, smoke }): Promise<readonly Measurement[]> => {
    const setup = await makeHome(subject, join(directory, 'home'), {
      'consensus.timeout_commit': PACE,
      'rpc.max_subscription_clients': '2000',
      'rpc.max_open_connections': '4000',
    })
    const node = await startNode(subject, setup)
    try {
      const port = node.rpcPort
      await waitForHeight(port, 3)
      const seconds = smoke ? 2 : 8
      const transactions = startTransactions(port)
      await sleep(1000)
      const first = await heightOf(port)
      const alone = await spanOf(seconds)
      let busy = alone
      const groups = [
        { query: "tm.event='NewBlock'", count: smoke ? 50 : BLOCK_SUBSCRIBERS },
        { query: "tm.event='Tx'", count: smoke ? 10 : TX_SUBSCRIBERS },
      ]
      const arrivals = await follow({ port, groups }, async () => {
        await sleep(1000)
        busy = await spanOf(seconds)
      })
      await transactions.stop()
      const times = await decisionTimes(port, first, await heightOf(port))
      const lags: number[] = []
      for (const { heights, times: at } of arrivals) {
        for (const [i, height] of heights.entries()) {
          const [came, decided] = [at[i] as number, times.get(height)]
          if (came >= busy.from && came <= busy.to && decided !== undefined) lags.push(came - decided)
        }
      }
      const dropped = arrivals.reduce((sum, one) => sum + one.dropped, 0)
      const messages = arrivals.reduce((sum, one) => sum + one.heights.length, 0)
      const bytes = arrivals.reduce((sum, one) => sum + one.bytes, 0)
      return [
        { metric: 'events delivered', value: lags.length / seconds, unit: '/s' },
        { metric: 'events, size on average', value: bytes / messages / 1000, unit: 'kB' },
        { metric: 'events, lag p99', value: quantile(lags, 0.99), unit: 'ms' },
        { metric: 'events, lag median', value: quantile(lags, 0.5), unit: 'ms' },
        { metric: 'events, dropped', value: dropped, unit: '' },
        { metric: 'block interval p99, no subscribers', value: quantile(gapsOf(times, alone), 0.99), unit: 'ms' },
        { metric: 'block interval p99, subscribers', value: quantile(gapsOf(times, busy), 0.99), unit: 'ms' },
      ]
    } finally {
      await node.stop()
    }
  },
}
