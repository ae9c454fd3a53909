import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequest, httpLoad } from '../load/http-load.ts'
import { call, heightOf, makeTransactions, waitForHeight } from '../rpc.ts'
import { makeHome, startNode } from '../subject.ts'
import type { Measurement, Workload } from './workload.ts'

/**
 * Measures requests whose answers are as large as those of a busy chain: a block of about 22 kB, and block results of
 * about 51 kB.
 */
export const reads: Workload = {
  name: 'reads',
  about:
    '/status, /block of about 22 kB, /block_results of about 51 kB, /commit: requests per second over 32 open connections',
  run: async ({ subject, directory, smoke }) => {
    const config = { 'consensus.create_empty_blocks': 'false', 'consensus.timeout_commit': '"300ms"' }
    const node = await startNode(subject, await makeHome(subject, join(directory, 'home'), config))
    try {
      const port = node.rpcPort
      await waitForHeight(port, 1)
      const before = await heightOf(port)
      await Promise.all(
        makeTransactions(60, 250, 'r').map((tx) => call(port, 'broadcast_tx_async', { tx: tx.toString('base64') })),
      )
      await sleep(1500)
      const height = await fullestHeight(port, before)
      const measured: Measurement[] = []
      for (const path of [
        '/status',
        `/block?height=${height}`,
        `/block_results?height=${height}`,
        `/commit?height=${height}`,
      ]) {
        const request = getRequest(path)
        const seconds = smoke ? 0.5 : 3
        const runLoad = (time: number) => httpLoad({ port, connections: 32, seconds: time, next: () => request })
        // This first load is not measured. After it, node and client have compiled their code, and the answers are in
        // the cache of the node.
        await runLoad(seconds / 3)
        const load = await runLoad(seconds)
        if (load.failed > 0) throw new Error(`${load.failed} of ${load.answered} answers of ${path} were errors`)
        measured.push({ metric: path.replace(/\?.*/, ''), value: load.answered / load.seconds, unit: '/s' })
      }
      return measured
    } finally {
      await node.stop()
    }
  },
}

async function fullestHeight(port: number, from: number): Promise<number> {
  const { block_metas: metas } = await call<{ block_metas: { header: { height: string }; num_txs: string }[] }>(
    port,
    'blockchain',
    {
      minHeight: String(from),
      maxHeight: String(await heightOf(port)),
    },
  )
  const [fullest] = metas.toSorted((a, b) => Number(b.num_txs) - Number(a.num_txs))
  if (fullest === undefined || fullest.num_txs === '0') throw new Error('no block with transactions was made')
  return Number(fullest.header.height)
}
