import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '@org/golden'
import { blockTimes } from '../block-times.ts'
import type { Arrivals, EventLoad } from '../load/event-load.ts'
import { postRequest } from '../load/http-load.ts'
import { heightOf, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, startNode } from '../subject.ts'
import { quantile } from '../table.ts'
import type { Measurement, Workload } from './workload.ts'

const BLOCK_SUBSCRIBERS = 1000
const TX_SUBSCRIBERS = 200
/**
 * With this number of transactions, a node has to deliver 90,000 events per second. A node that is too slow commits
 * fewer transactions, or delivers fewer events.
 */
const TXS_A_SECOND = 400
const TX_SIZE = 40
/** The time between two batches of transactions, in milliseconds. */
const SEND_EVERY_MS = 25
const PACE_MS = 100
const TURNS = 3

const LOAD = new URL('../load/event-load.ts', import.meta.url).pathname

/**
 * Returns the time at which each block was decided, from the height `from` on. The header of the next block contains
 * this time, which the validators calculate from the votes. The last block is left out if the node makes no block after
 * it.
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

/**
 * Sends transactions at a fixed rate while `measure` runs, without waiting for answers. `tag` makes the transactions
 * different from earlier ones.
 */
async function withTransactions<T>(port: number, tag: string, measure: () => Promise<T>): Promise<T> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.resume()
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const started = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1000) * TXS_A_SECOND) - sent
    const requests = makeTransactions(due, TX_SIZE, `${tag}${sent}`).map((tx) =>
      postRequest('broadcast_tx_async', { tx: tx.toString('base64') }),
    )
    sent += due
    socket.write(Buffer.concat(requests))
  }, SEND_EVERY_MS)
  try {
    await sleep(1000)
    return await measure()
  } finally {
    clearInterval(timer)
    socket.destroy()
  }
}

async function follow(load: EventLoad, measure: () => Promise<void>): Promise<readonly Arrivals[]> {
  const child = spawn(process.execPath, [LOAD, JSON.stringify(load)], { stdio: ['pipe', 'pipe', 'inherit'] })
  endWithParent(child)
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

/**
 * Returns the times between the decisions of successive blocks. If the time between two decisions is partly outside of
 * the measured periods (`spans`), only the part inside a period counts. For example, the subscribers leave between two
 * periods, and this time does not count.
 */
function gapsOf(times: ReadonlyMap<number, number>, spans: readonly Span[]): number[] {
  const all = [...times.values()].toSorted((x, y) => x - y)
  return spans.flatMap(({ from, to }) =>
    all.slice(1).flatMap((time, i) => {
      const within = Math.min(time, to) - Math.max(all[i] as number, from)
      return within > 0 ? [within] : []
    }),
  )
}

/** A period with its beginning and its end, in milliseconds since 1970. */
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

/** A period in which all subscribers are connected, and the events that they received from its beginning on. */
interface Followed extends Span {
  readonly arrivals: readonly Arrivals[]
}

interface Spans {
  /** The periods without subscribers. */
  readonly alone: readonly Span[]
  readonly followed: readonly Followed[]
}

/** Calculates the results. `decided` has the time of each block's decision, by height. */
function measurements({ alone, followed }: Spans, decided: ReadonlyMap<number, number>): readonly Measurement[] {
  /** The delay in milliseconds of each event that arrived in a period with subscribers (`followed`). */
  const lags: number[] = []
  let came = 0
  for (const { arrivals, from, to } of followed) {
    for (const [height, time, count] of arrivals.flatMap(({ cells }) => cells)) {
      if (time < from || time > to) continue
      came += count
      const since = decided.get(height)
      if (since !== undefined) for (let i = 0; i < count; i++) lags.push(time - since)
    }
  }
  const all = followed.flatMap(({ arrivals }) => arrivals)
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0)
  const events = all.reduce((sum, { cells }) => sum + cells.reduce((of, [, , count]) => of + count, 0), 0)
  const [idle, busy] = [quantile(gapsOf(decided, alone), 0.99), quantile(gapsOf(decided, followed), 0.99)]
  const seconds = followed.reduce((sum, { from, to }) => sum + to - from, 0) / 1000
  return [
    { metric: 'events delivered', value: came / seconds, unit: '/s' },
    { metric: 'events, size on average', value: bytes / events / 1000, unit: 'kB' },
    { metric: 'events, lag p99', value: quantile(lags, 0.99), unit: 'ms' },
    { metric: 'events, lag median', value: quantile(lags, 0.5), unit: 'ms' },
    { metric: 'events, dropped', value: all.reduce((sum, { dropped }) => sum + dropped, 0), unit: 'lost' },
    { metric: `block interval p99, ${PACE_MS} ms pace, no subscribers`, value: idle, unit: 'ms' },
    { metric: `block interval p99, ${PACE_MS} ms pace, subscribers`, value: busy, unit: 'ms' },
  ]
}

const total = (BLOCK_SUBSCRIBERS + TX_SUBSCRIBERS).toLocaleString('en')

/** Measures the delivery of events to many subscribers, while transactions are sent at a fixed rate. */
export const rpcEvents: Workload = {
  name: 'rpc-events',
  about: `${total} subscribers (one in six of Tx, the others of NewBlock), ${TXS_A_SECOND} tx/s, ${PACE_MS} ms between blocks: number and delay of the delivered events; block interval with and without the subscribers`,
  run: async ({ subject, directory, smoke }): Promise<readonly Measurement[]> => {
    const setup = await makeHome(subject, join(directory, 'home'), {
      'consensus.timeout_commit': `"${PACE_MS}ms"`,
      'rpc.max_subscription_clients': '2000',
      'rpc.max_open_connections': '4000',
    })
    const node = await startNode(subject, setup)
    try {
      const port = node.rpcPort
      await waitForHeight(port, 3)
      const first = await heightOf(port)
      const seconds = smoke ? 2 : 5
      const groups = [
        { query: "tm.event='NewBlock'", count: smoke ? 50 : BLOCK_SUBSCRIBERS },
        { query: "tm.event='Tx'", count: smoke ? 10 : TX_SUBSCRIBERS },
      ]
      const alone: Span[] = []
      const followed: Followed[] = []
      // The periods without and with subscribers take turns, so that other load of the computer affects both.
      for (let turn = 0; turn < (smoke ? 1 : TURNS); turn++) {
        alone.push(await withTransactions(port, `a${turn}-`, () => spanOf(seconds)))
        let span: Span = { from: 0, to: 0 }
        // All subscribers connect before the transactions begin, because a busy node accepts no more subscriptions.
        const arrivals = await follow({ port, groups }, async () => {
          span = await withTransactions(port, `t${turn}-`, () => spanOf(seconds))
        })
        followed.push({ ...span, arrivals })
        // The node may be late, and still be sending events to subscribers that have left. After three more blocks,
        // it has noticed that they have left.
        await waitForHeight(port, (await heightOf(port)) + 3)
      }
      return measurements({ alone, followed }, await decisionTimes(port, first))
    } finally {
      await node.stop()
    }
  },
}
