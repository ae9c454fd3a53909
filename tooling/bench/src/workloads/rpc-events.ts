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
/** What is to be delivered is the same for every node; one that cannot keep up delivers less of it, or commits less. */
const TXS_A_SECOND = 100
const TX_SIZE = 40
const PACE = '"100ms"'

const LOAD = new URL('../load/event-load.ts', import.meta.url).pathname

/**
 * When each block from `from` on was decided, as the header of the next says: the time of the vote for it. A node that stands
 * still gets some time for the last one; it is left out if nothing comes.
 */
async function decisionTimes(port: number, from: number): Promise<Map<number, number>> {
  const last = await heightOf(port)
  const to = await waitForHeight(port, last + 1).then(
    () => last + 1,
    () => last,
  )
  const times = await blockTimes(port, from, to)
  return new Map([...times].map(([height, time]) => [height - 1, time]))
}

/** Some transactions ten times a second, whether or not the last ones were answered, while `measure` runs. */
async function withTransactions<T>(port: number, tag: string, measure: () => Promise<T>): Promise<T> {
  let isOver = false
  let round = 0
  const run = async (): Promise<void> => {
    while (!isOver) {
      for (const tx of makeTransactions(TXS_A_SECOND / 10, TX_SIZE, `${tag}${round++}`))
        call(port, 'broadcast_tx_async', { tx: tx.toString('base64') }).catch(() => undefined)
      await sleep(100)
    }
  }
  const running = run()
  try {
    await sleep(1000)
    return await measure()
  } finally {
    isOver = true
    await running
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

/** Between the decisions of blocks, as far as a part of it is in a span of time. */
function gapsOf(times: ReadonlyMap<number, number>, { from, to }: Span): number[] {
  const all = [...times.values()].toSorted((x, y) => x - y)
  return all.slice(1).flatMap((time, i) => {
    const before = all[i] as number
    return time >= from && before <= to ? [time - before] : []
  })
}

const isIn = ({ from, to }: Span, time: number): boolean => time >= from && time <= to

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

interface Told {
  readonly arrivals: readonly Arrivals[]
  /** When each block was decided, by height. */
  readonly decided: ReadonlyMap<number, number>
}

interface Spans {
  /** Nobody listens. */
  readonly alone: Span
  readonly told: Span
}

const lengthOf = ({ from, to }: Span): number => (to - from) / 1000

function measurements({ arrivals, decided }: Told, { alone, told }: Spans): readonly Measurement[] {
  const lags: number[] = []
  let came = 0
  for (const { heights, times } of arrivals) {
    for (const [i, height] of heights.entries()) {
      const [time, since] = [times[i] as number, decided.get(height)]
      if (!isIn(told, time)) continue
      came++
      if (since !== undefined) lags.push(time - since)
    }
  }
  const sum = (of: (one: Arrivals) => number): number => arrivals.reduce((all, one) => all + of(one), 0)
  return [
    { metric: 'events delivered', value: came / lengthOf(told), unit: '/s' },
    {
      metric: 'events, size on average',
      value: sum(({ bytes }) => bytes) / sum(({ heights }) => heights.length) / 1000,
      unit: 'kB',
    },
    { metric: 'events, lag p99', value: quantile(lags, 0.99), unit: 'ms' },
    { metric: 'events, lag median', value: quantile(lags, 0.5), unit: 'ms' },
    { metric: 'events, dropped', value: sum(({ dropped }) => dropped), unit: 'lost' },
    { metric: 'block interval p99, no subscribers', value: quantile(gapsOf(decided, alone), 0.99), unit: 'ms' },
    { metric: 'block interval p99, subscribers', value: quantile(gapsOf(decided, told), 0.99), unit: 'ms' },
  ]
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
      const first = await heightOf(port)
      const alone = await withTransactions(port, 'a', () => spanOf(seconds))
      const groups = [
        { query: "tm.event='NewBlock'", count: smoke ? 50 : BLOCK_SUBSCRIBERS },
        { query: "tm.event='Tx'", count: smoke ? 10 : TX_SUBSCRIBERS },
      ]
      // All have subscribed before there is something to tell: a node that is busy telling takes no more of them.
      let told = alone
      const arrivals = await follow({ port, groups }, async () => {
        told = await withTransactions(port, 'e', () => spanOf(seconds))
      })
      return measurements({ arrivals, decided: await decisionTimes(port, first) }, { alone, told })
    } finally {
      await node.stop()
    }
  },
}
