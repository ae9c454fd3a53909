import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent, freePort } from '@org/golden'
import { WebSocket } from 'ws'
import { httpLoad, postRequest } from '../load/http-load.ts'
import type { LoadResult } from '../load/run-load.ts'
import { txFrame, wsLoad } from '../load/ws-load.ts'
import { call, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, type RunningNode, type Subject, startNode } from '../subject.ts'
import { median } from '../table.ts'
import type { Measurement, Workload, WorkloadContext } from './workload.ts'

const SIZE = 250
export const MEMPOOL = {
  'mempool.size': '100000',
  'mempool.max_txs_bytes': '1073741824',
  'mempool.cache_size': '200000',
}

async function unconfirmed(nodes: readonly RunningNode[]): Promise<number> {
  const totals = await Promise.all(
    nodes.map(({ rpcPort }) => call<{ total: string }>(rpcPort, 'num_unconfirmed_txs').then(({ total }) => +total)),
  )
  return Math.max(...totals)
}

export interface Offer {
  /** The number of transactions for all nodes together. Each node gets an equal share. */
  readonly count: number
  readonly size?: number
  readonly tag: string
  /** The number of WebSockets to each node. Default: 4. */
  readonly connections?: number
}

/**
 * Sends transactions to the nodes over WebSockets until all transactions are accepted, and waits until all are
 * committed. Returns the committed transactions per second.
 */
export async function committed(
  nodes: readonly RunningNode[],
  { count, size = SIZE, tag, connections = 4 }: Offer,
): Promise<number> {
  const lists = nodes.map((_, node) => makeTransactions(count / nodes.length, size, `${tag}${node}`).map(txFrame))
  const start = performance.now()
  const loads = await Promise.all(
    nodes.map(({ rpcPort }, node) => {
      const list = lists[node]
      let at = 0
      return wsLoad({ port: rpcPort, connections, window: 200, seconds: 120, next: () => list?.[at++] })
    }),
  )
  const failed = loads.reduce((sum, load) => sum + load.failed, 0)
  if (failed > 0) throw new Error(`${failed} of ${count} transactions were refused`)
  const done = loads.reduce((sum, load) => sum + load.answered, 0)
  if (done < count) throw new Error(`only ${done} of ${count} transactions were answered`)
  while ((await unconfirmed(nodes)) > 0) await sleep(5)
  return (count * 1000) / (performance.now() - start)
}

/**
 * The number of transactions that are sent first, to nodes that have just started. The table has one row for the rate
 * of these transactions, and another row for the rate of all later transactions.
 */
const RUN_IN = 20_000

/**
 * Measures the committed transactions per second twice. The first measurement is for {@link RUN_IN} transactions, which
 * are sent to nodes that have just started. The second measurement is for the next `offer.count` transactions. The
 * short form (`smoke`) sends fewer transactions. Returns one row for each measurement.
 */
export async function committedColdAndWarm(
  nodes: readonly RunningNode[],
  metric: string,
  { smoke, ...offer }: Omit<Offer, 'tag'> & { readonly smoke: boolean },
): Promise<readonly Measurement[]> {
  const first = smoke ? 1000 : RUN_IN
  const cold = await committed(nodes, { ...offer, count: first, tag: 'r' })
  const warm = await committed(nodes, { ...offer, count: smoke ? 2000 : offer.count, tag: 'c' })
  return [
    { metric: `${metric}, first ${first.toLocaleString('en')}`, value: cold, unit: '/s' },
    { metric, value: warm, unit: '/s' },
  ]
}

/**
 * The number of transactions in the second measurement of each workload with one node. They are sent after the first
 * {@link RUN_IN} transactions.
 */
const COUNT = 40_000

export const inProcess: Workload = {
  name: 'commit',
  about: 'committed transactions of 250 B per second, application in the process of the node',
  run: async ({ subject, directory, smoke }) => {
    const node = await startNode(subject, await makeHome(subject, join(directory, 'home'), MEMPOOL))
    try {
      await waitForHeight(node.rpcPort, 2)
      return await committedColdAndWarm([node], 'committed tx, in process', { count: COUNT, smoke })
    } finally {
      await node.stop()
    }
  },
}

export const overSocket: Workload = {
  name: 'commit-socket',
  about: "committed transactions of 250 B per second, each node's own kvstore over the ABCI socket",
  run: async ({ subject, directory, smoke }) => {
    const setup = await makeHome(subject, join(directory, 'home'), MEMPOOL)
    const address = `tcp://127.0.0.1:${await freePort()}`
    const { binary, args } = subject.application(address)
    const application = spawn(binary, args, { stdio: 'ignore' })
    endWithParent(application)
    try {
      const node = await startNode(subject, setup, address)
      try {
        await waitForHeight(node.rpcPort, 2)
        return await committedColdAndWarm([node], 'committed tx, over the socket', { count: COUNT, smoke })
      } finally {
        await node.stop()
      }
    } finally {
      application.kill('SIGTERM')
    }
  },
}

/**
 * The configuration of a node that only accepts transactions. Consensus waits ten minutes before the next block, so
 * nothing is committed, and only the mempool is measured.
 */
export const HOLD = {
  ...MEMPOOL,
  'mempool.size': '300000',
  'mempool.cache_size': '300000',
  'consensus.create_empty_blocks': 'false',
  'consensus.timeout_commit': '"600s"',
}

/** The number of prepared transactions. It is larger than the number that a node accepts in one measurement. */
const MAX_ACCEPTED = 250_000

async function acceptedOver(transport: 'HTTP' | 'WebSocket', context: WorkloadContext): Promise<Measurement> {
  const { subject, directory, smoke } = context
  const node = await startNode(subject, await makeHome(subject, join(directory, transport), HOLD))
  try {
    const requests = makeTransactions(MAX_ACCEPTED, SIZE, 'a').map((tx) =>
      transport === 'HTTP' ? postRequest('broadcast_tx_sync', { tx: tx.toString('base64') }) : txFrame(tx),
    )
    let at = 0
    const next = (): Buffer | undefined => requests[at++]
    const isGood = (body: Buffer): boolean => body.includes('"code":0')
    const run = (seconds: number): Promise<LoadResult> =>
      transport === 'HTTP'
        ? httpLoad({ port: node.rpcPort, connections: 32, seconds, next, isGood })
        : wsLoad({ port: node.rpcPort, connections: 4, window: 50, seconds, next })
    // This first load is not measured. After it, the node has compiled its code. The speed of a node that was just
    // started has a row in another workload.
    if (!smoke) await run(1)
    const load = await run(smoke ? 0.5 : 2)
    if (load.failed > 0) throw new Error(`${load.failed} of ${load.answered} transactions were refused`)
    return { metric: `broadcast_tx_sync, ${transport}`, value: load.answered / load.seconds, unit: '/s' }
  } finally {
    await node.stop()
  }
}

export const accepted: Workload = {
  name: 'accept',
  about: 'answers to broadcast_tx_sync per second, transactions of 250 B, over HTTP keep-alive and WebSocket',
  run: async (context) => [await acceptedOver('HTTP', context), await acceptedOver('WebSocket', context)],
}

async function latencies(subject: Subject, directory: string, seconds: number): Promise<readonly number[]> {
  const node = await startNode(subject, await makeHome(subject, join(directory, 'home'), MEMPOOL))
  try {
    await waitForHeight(node.rpcPort, 2)
    const socket = new WebSocket(`ws://127.0.0.1:${node.rpcPort}/websocket`, { perMessageDeflate: false })
    const sent = new Map<string, number>()
    const taken: number[] = []
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const subscribed = new Promise((resolve) => socket.once('message', resolve))
    socket.send('{"jsonrpc":"2.0","id":0,"method":"subscribe","params":{"query":"tm.event=\'Tx\'"}}')
    await subscribed
    socket.on('message', (data: Buffer) => {
      const tx = /"tx":"([^"]+)"/.exec(data.toString())?.[1]
      const start = tx === undefined ? undefined : sent.get(tx)
      if (start !== undefined) taken.push(performance.now() - start)
    })
    const list = makeTransactions(500 * seconds, SIZE, 'l').map((tx) => tx.toString('base64'))
    const start = performance.now()
    for (const [i, tx] of list.entries()) {
      const wait = start + i * 2 - performance.now()
      if (wait > 1) await sleep(wait)
      sent.set(tx, performance.now())
      socket.send(`{"jsonrpc":"2.0","id":1,"method":"broadcast_tx_async","params":{"tx":"${tx}"}}`)
    }
    await sleep(1000)
    socket.close()
    if (taken.length < list.length * 0.99)
      throw new Error(`only ${taken.length} of ${list.length} transactions were seen committed`)
    return taken
  } finally {
    await node.stop()
  }
}

export const latency: Workload = {
  name: 'latency',
  about: 'time from the sending of a transaction to its event at a subscriber, 500 tx/s, fast blocks',
  run: async ({ subject, directory, smoke }) => {
    const taken = await latencies(subject, directory, smoke ? 1 : 8)
    return [{ metric: 'send → committed, p50', value: median(taken), unit: 'ms' }]
  },
}
