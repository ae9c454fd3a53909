import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '@org/golden'
import { peakMegabytes, residentMegabytes } from '../memory.ts'
import { call, waitForHeight } from '../rpc.ts'
import { makeHome, type NodeSetup, type Subject, startNode } from '../subject.ts'
import { median } from '../table.ts'
import { committed, MEMPOOL } from './transactions.ts'
import type { Measurement, Workload } from './workload.ts'

const SIZE = 40
const PER_PAGE = 30
const CLIENTS = 8
/** A query for an attribute that the kvstore gives to every transaction. */
const EVERY = "app.creator='Cosmoshi Netowoko'"
/**
 * Other queries that find the same transactions, so that the node cannot take the result of the first query from its
 * cache.
 */
const EVERY_AGAIN = "app.creator CONTAINS 'moshi Net'"
const OTHER_WAYS = ['tx.height>0', 'tx.height>=1', "app.creator='Cosmoshi'"] as const

/**
 * If an answer takes longer than this time-out, the reference closes the connection without an answer. The time-out
 * applies to all methods. Its default is too short for the searches.
 */
const LONG_COMMIT_TIMEOUT = { 'rpc.timeout_broadcast_tx_commit': '"120s"' }

interface Page {
  readonly txs: readonly { readonly height: string; readonly index: number }[]
  readonly total_count: string
}

/**
 * A process of the command `inspect`. It serves the stores of a stopped node, so that the process uses all its time
 * for the searches.
 */
interface Inspector {
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

async function inspect({ binary }: Subject, { home, rpcPort: port }: NodeSetup): Promise<Inspector> {
  const args = ['inspect', '--home', home, '--rpc.laddr', `tcp://127.0.0.1:${port}`]
  const child: ChildProcess = spawn(binary, args, { stdio: 'ignore' })
  endWithParent(child)
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await once(child, 'exit')
    clearTimeout(killer)
  }
  for (let attempt = 0; ; attempt++) {
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      return { port, pid: child.pid as number, stop }
    } catch (error) {
      if (attempt < 200 && child.exitCode === null) {
        await sleep(50)
        continue
      }
      await stop()
      throw error
    }
  }
}

/** Waits until a search finds all transactions. The reference indexes a transaction some time after the commit. */
async function indexed(port: number, count: number): Promise<void> {
  const stop = performance.now() + 60_000
  for (;;) {
    const { total_count: total } = await call<Page>(port, 'tx_search', { query: EVERY, per_page: '1' })
    if (Number(total) === count) return
    if (performance.now() > stop) throw new Error(`${total} of ${count} transactions were indexed`)
    await sleep(1000)
  }
}

function askedFor(port: number, count: number) {
  return async (query: string, page: number, order: 'asc' | 'desc' = 'asc'): Promise<number> => {
    const start = performance.now()
    const params = { query, page: String(page), per_page: String(PER_PAGE), order_by: order }
    const { txs, total_count: total } = await call<Page>(port, 'tx_search', params)
    if (Number(total) !== count || txs.length === 0) throw new Error(`${query}: ${total} of ${count} were found`)
    return performance.now() - start
  }
}

async function measure({ port, pid }: Inspector, count: number): Promise<readonly Measurement[]> {
  const ask = askedFor(port, count)
  const before = await residentMegabytes(pid)
  const first = await ask(EVERY, 1)
  const last = Math.ceil(count / PER_PAGE)
  const others: number[] = []
  for (const query of OTHER_WAYS) others.push(await ask(query, 1))
  const further = [
    await ask(EVERY, 2),
    await ask(EVERY, last),
    await ask(EVERY, 1, 'desc'),
    await ask(EVERY, last, 'desc'),
  ]
  const start = performance.now()
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => ask(EVERY_AGAIN, i + 1)))
  const together = performance.now() - start
  const peak = await peakMegabytes(pid)
  const what = `${count.toLocaleString('en')} hits`
  return [
    { metric: `search, ${what}, first of the process`, value: first, unit: 'ms' },
    { metric: `search, ${what}, first page`, value: median(others), unit: 'ms' },
    { metric: `search, ${what}, further page`, value: median(further), unit: 'ms' },
    { metric: `search, ${what}, ${CLIENTS} clients`, value: together, unit: 'ms' },
    { metric: `search, ${what}, memory before`, value: before, unit: 'MB' },
    { metric: `search, ${what}, memory at most`, value: peak, unit: 'MB' },
  ]
}

/** Measures pages of the results of a search that finds every transaction of a chain. */
export const search: Workload = {
  name: 'search',
  about: 'tx_search with 100,000 hits on a stopped node (inspect): first and further pages, 8 clients, memory',
  run: async ({ subject, directory, smoke }) => {
    const count = smoke ? 2000 : 100_000
    const setup = await makeHome(subject, join(directory, 'home'), { ...MEMPOOL, ...LONG_COMMIT_TIMEOUT })
    const node = await startNode(subject, setup)
    try {
      await waitForHeight(node.rpcPort, 1)
      await committed([node], { count, size: SIZE, tag: 'q' })
      await indexed(node.rpcPort, count)
    } finally {
      await node.stop()
    }
    const inspector = await inspect(subject, setup)
    try {
      return await measure(inspector, count)
    } finally {
      await inspector.stop()
    }
  },
}
