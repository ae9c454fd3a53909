import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { txFrame, wsLoad } from '../load/ws-load.ts'
import { call, makeTransactions } from '../rpc.ts'
import { makeHome, type RunningNode, startNode } from '../subject.ts'
import { FAST_LINKS, peerAddress } from './network-homes.ts'
import { HOLD } from './transactions.ts'
import type { Workload, WorkloadContext } from './workload.ts'

interface Pool {
  readonly count: number
  readonly bytes: number
}

const waiting = async ({ rpcPort }: RunningNode): Promise<Pool> => {
  const { total, total_bytes } = await call<{ total: string; total_bytes: string }>(rpcPort, 'num_unconfirmed_txs')
  return { count: Number(total), bytes: Number(total_bytes) }
}

interface Load {
  readonly count: number
  readonly size: number
  /** The maximum number of unanswered requests of one WebSocket. */
  readonly window: number
}

/**
 * Measures the transactions and bytes per second that a joining node receives from one peer. The peer has all
 * transactions before the joining node starts.
 */
async function received(context: WorkloadContext, { count, size, window }: Load): Promise<Pool> {
  const { subject, directory } = context
  const config = { ...HOLD, ...FAST_LINKS }
  const setup = await makeHome(subject, join(directory, `full-${size}`), config)
  const full = await startNode(subject, setup)
  try {
    const list = makeTransactions(count, size, 'g').map(txFrame)
    let at = 0
    const load = await wsLoad({ port: full.rpcPort, connections: 2, window, seconds: 60, next: () => list[at++] })
    if (load.failed > 0 || load.answered < count) throw new Error(`${load.answered} of ${count} were accepted`)
    const peers = `"${await peerAddress(subject, setup)}"`
    const fresh = await makeHome(subject, join(directory, `fresh-${size}`), {
      ...config,
      'p2p.persistent_peers': peers,
    })
    await cp(join(setup.home, 'config/genesis.json'), join(fresh.home, 'config/genesis.json'))
    const joining = await startNode(subject, fresh)
    try {
      return await arrival(joining, count)
    } finally {
      await joining.stop()
    }
  } finally {
    await full.stop()
  }
}

async function arrival(node: RunningNode, count: number): Promise<Pool> {
  const stop = performance.now() + 60_000
  /**
   * The measurement at which the measured period begins. It is the last measurement in which the node's mempool was
   * empty. If no measurement found an empty mempool, the period begins at the first measurement, because the time of
   * the first transaction is then unknown.
   */
  let first: (Pool & { readonly at: number }) | undefined
  while (performance.now() < stop) {
    const [pool, at] = [await waiting(node), performance.now()]
    if (first === undefined && pool.count >= count)
      throw new Error('the node had received all transactions before the first measurement')
    if (first === undefined || pool.count === 0) first = { ...pool, at }
    else if (pool.count >= count) {
      const seconds = (at - first.at) / 1000
      return { count: (pool.count - first.count) / seconds, bytes: (pool.bytes - first.bytes) / seconds }
    }
    await sleep(5)
  }
  throw new Error('not all transactions arrived within a minute')
}

export const networkGossip: Workload = {
  name: 'network-gossip',
  about: 'transactions of 250 B, and of 40 KiB, that a node sends over one connection to a node that has joined',
  run: async (context) => {
    const small = await received(context, { count: context.smoke ? 10_000 : 100_000, size: 250, window: 200 })
    const large = await received(context, { count: context.smoke ? 500 : 4000, size: 40 * 1024, window: 20 })
    return [
      { metric: 'mempool gossip, 250 B', value: small.count, unit: '/s' },
      { metric: 'one secret connection, transactions of 40 KiB', value: large.bytes / 1e6, unit: 'MB/s' },
    ]
  },
}
