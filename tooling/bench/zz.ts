import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wsLoad } from './src/load/ws-load.ts'
import { call, makeTransactions, waitForHeight } from './src/rpc.ts'
import { findSubjects, makeHome, startNode } from './src/subject.ts'

const MEMPOOL = { 'mempool.size': '100000', 'mempool.max_txs_bytes': '1073741824', 'mempool.cache_size': '200000' }
const cpu = async (p: string) => {
  const t = (await readFile(p, 'utf8')).replace(/.*\) /, '').split(' ')
  return (Number(t[11]) + Number(t[12])) * 10
}
const which = process.argv[2],
  n = Number(process.argv[3] ?? 40000)
for (const subject of findSubjects()) {
  if (which !== 'both' && subject.name !== which) continue
  const dir = await mkdtemp('/tmp/zz-')
  const node = await startNode(subject, await makeHome(subject, join(dir, 'home'), MEMPOOL))
  await waitForHeight(node.rpcPort, 2)
  const m0 = await cpu(`/proc/${node.pid}/task/${node.pid}/stat`),
    a0 = await cpu(`/proc/${node.pid}/stat`)
  const list = makeTransactions(n, 250, 'c')
  let at = 0
  const start = performance.now()
  await wsLoad({ port: node.rpcPort, connections: 4, window: 200, seconds: 120, next: () => list[at++] })
  const acc = performance.now() - start
  for (;;) {
    const { total } = await call<{ total: string }>(node.rpcPort, 'num_unconfirmed_txs')
    if (total === '0') break
    await new Promise((r) => setTimeout(r, 5))
  }
  const ms = performance.now() - start
  const m1 = await cpu(`/proc/${node.pid}/task/${node.pid}/stat`),
    a1 = await cpu(`/proc/${node.pid}/stat`)
  const st = await call<{ sync_info: { latest_block_height: string } }>(node.rpcPort, 'status')
  console.log(
    subject.name,
    Math.round((n * 1000) / ms),
    'tx/s accept ms',
    Math.round(acc),
    'total ms',
    Math.round(ms),
    'us/tx main',
    (((m1 - m0) * 1000) / n).toFixed(1),
    'all',
    (((a1 - a0) * 1000) / n).toFixed(1),
    'height',
    st.sync_info.latest_block_height,
  )
  await node.stop()
  await rm(dir, { recursive: true })
}
