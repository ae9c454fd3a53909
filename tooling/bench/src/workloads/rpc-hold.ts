import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@org/golden'
import { call, heightOf, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, startNode } from '../subject.ts'
import { MEMPOOL } from './transactions.ts'
import type { Measurement, Workload } from './workload.ts'

const COUNT = 5000
const LAG = 'nodejs_eventloop_lag_max_seconds'

/**
 * Returns the longest time in milliseconds for which the event loop of the node was blocked since the last call of this
 * function. The node measures this time with a timer of 10 ms, and the result includes these 10 ms. Returns `undefined`
 * for a node without this metric.
 */
async function longestHold(port: number): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const value = new RegExp(`^${LAG}\\S* (\\S+)$`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : Number(value) * 1000
}

async function fullestHeight(port: number, last: number): Promise<{ readonly height: number; readonly txs: number }> {
  let best = { height: 0, txs: 0 }
  for (let max = last; max > 0; max -= 20) {
    const params = { minHeight: String(Math.max(1, max - 19)), maxHeight: String(max) }
    const { block_metas: metas } = await call<{ block_metas: { header: { height: string }; num_txs: string }[] }>(
      port,
      'blockchain',
      params,
    )
    for (const { header, num_txs: count } of metas)
      if (Number(count) > best.txs) best = { height: Number(header.height), txs: Number(count) }
  }
  return best
}

/**
 * Measures how long the node needs for one large answer, and for how long this answer blocks the event loop of the
 * node.
 */
export const rpcHold: Workload = {
  name: 'rpc-hold',
  about: `/block_results and /block of a block with ${COUNT.toLocaleString('en')} transactions on a node that has just started: time of the call, and the longest time for which the call blocks the event loop`,
  run: async ({ subject, directory, smoke }): Promise<readonly Measurement[]> => {
    const count = smoke ? 500 : COUNT
    const metricsPort = await freePort()
    const setup = await makeHome(subject, join(directory, 'home'), {
      ...MEMPOOL,
      'consensus.timeout_commit': '"2s"',
      'consensus.create_empty_blocks': 'false',
      'instrumentation.prometheus': 'true',
      'instrumentation.prometheus_listen_addr': `"127.0.0.1:${metricsPort}"`,
    })
    let node = await startNode(subject, setup)
    let height = 0
    try {
      await waitForHeight(node.rpcPort, 1)
      const transactions = makeTransactions(count, 250, 'h')
      for (let at = 0; at < count; at += 250)
        await Promise.all(
          transactions
            .slice(at, at + 250)
            .map((tx) => call(node.rpcPort, 'broadcast_tx_async', { tx: tx.toString('base64') })),
        )
      await sleep(6000)
      height = (await fullestHeight(node.rpcPort, await heightOf(node.rpcPort))).height
      await node.stop()
      // The node starts again, so that its cache of answers is empty.
      node = await startNode(subject, setup)
      // Not only the measured calls but also the requests for metrics block the event loop. The first request for
      // metrics blocks it for the longest time. So three requests for metrics are made before the measurement.
      for (let i = 0; i < 3; i++) {
        await longestHold(metricsPort)
        await sleep(500)
      }
      const before = await longestHold(metricsPort)
      const rows: Measurement[] = []
      for (const name of ['/block_results', '/block']) {
        const start = performance.now()
        const answer = await fetch(`http://127.0.0.1:${node.rpcPort}${name}?height=${height}`)
        const { byteLength } = await answer.arrayBuffer()
        const took = performance.now() - start
        // The node measures with a timer for how long its event loop was blocked. After the answer to the call, the
        // timer must run once more. Only then does the metric include the time for which this answer blocked the event
        // loop.
        await sleep(100)
        const hold = await longestHold(metricsPort)
        rows.push({ metric: `${name} of a full block, size`, value: byteLength / 1e6, unit: 'MB' })
        rows.push({ metric: `${name} of a full block, first`, value: took, unit: 'ms' })
        if (hold !== undefined) rows.push({ metric: `longest hold, ${name} of a full block`, value: hold, unit: 'ms' })
      }
      if (before !== undefined) rows.push({ metric: 'longest hold of the event loop, idle', value: before, unit: 'ms' })
      return rows
    } finally {
      await node.stop()
    }
  },
}
