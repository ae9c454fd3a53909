import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeHome, type RunningNode, startNode } from './support/node.ts'
import { temporaryFolder } from './support/process.ts'

const COUNT = 10_000
const KILL_AFTER = 4000

type Result = Record<string, unknown>

async function call(
  url: string,
  requests: readonly { method: string; params: Record<string, unknown> }[],
): Promise<Result[]> {
  const body = JSON.stringify(requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request })))
  const answer = await fetch(url, { method: 'POST', body })
  const parsed = (await answer.json()) as { id: number; result?: Result } | { id: number; result?: Result }[]
  const list = Array.isArray(parsed) ? parsed : [parsed]
  return list.toSorted((a, b) => a.id - b.id).map(({ result }) => result ?? {})
}

const transaction = (n: number): Uint8Array => new TextEncoder().encode(`tx-${n}=${n}`)
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const hash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
/** Returns the numbers from `from` up to `to` in batches of ten, the largest batch that a node accepts by default. */
const batches = (from: number, to: number): number[][] =>
  Array.from({ length: Math.ceil((to - from) / 10) }, (_, i) =>
    Array.from({ length: Math.min(10, to - from - i * 10) }, (_unused, j) => from + i * 10 + j),
  )

const start = (home: string): Promise<RunningNode> =>
  startNode(
    home,
    ...[
      '--proxy_app=persistent_kvstore',
      '--consensus.timeout_commit=0s',
      '--log_level=main:info,rpc-server:info,*:error',
    ],
    ...['--mempool.size=20000', '--mempool.cache_size=40000'],
  )

async function broadcast(url: string, from: number, to: number): Promise<void> {
  for (const numbers of batches(from, to)) {
    const requests = numbers.map((n) => ({ method: 'broadcast_tx_sync', params: { tx: base64(transaction(n)) } }))
    for (const { code } of await call(url, requests)) expect(code).toBe(0)
  }
}

/**
 * Looks up the first `count` transactions of this test on the node, by their hashes. The transactions of this test are
 * numbered from 0. Returns the numbers of the transactions that are in a block.
 */
async function committed(url: string, count: number): Promise<Set<number>> {
  const found = new Set<number>()
  for (const numbers of batches(0, count)) {
    const requests = numbers.map((n) => ({ method: 'tx', params: { hash: base64(hash(transaction(n))) } }))
    for (const [at, result] of (await call(url, requests)).entries())
      if (result.height !== undefined) found.add(numbers[at] ?? -1)
  }
  return found
}

test('behavior: after ten thousand transactions and a kill in the middle, each committed transaction is found', async () => {
  const home = await makeHome(temporaryFolder())
  const first = await start(home)
  let { url } = first
  await broadcast(url, 0, KILL_AFTER)
  const before = await committed(url, KILL_AFTER)
  await first.stop('SIGKILL')

  const second = await start(home)
  url = second.url
  const after = await committed(url, KILL_AFTER)
  expect([...before].filter((n) => !after.has(n))).toEqual([])
  // The transactions that were only in the mempool were lost when the process was killed. The test sends them again, as
  // a client would.
  for (let n = 0; n < KILL_AFTER; n++) if (!after.has(n)) await broadcast(url, n, n + 1)
  await broadcast(url, KILL_AFTER, COUNT)
  await expect
    .poll(async () => (await call(url, [{ method: 'num_unconfirmed_txs', params: {} }]))[0]?.total, {
      timeout: 30_000,
    })
    .toBe('0')

  expect((await committed(url, COUNT)).size).toBe(COUNT)
  // A search must find each transaction too, page by page.
  const seen = new Set<string>()
  for (let page = 1; page <= COUNT / 100; page++) {
    const params = { query: 'tx.height>0', page: String(page), per_page: '100' }
    const [result] = await call(url, [{ method: 'tx_search', params }])
    expect(result?.total_count).toBe(String(COUNT))
    for (const { tx } of (result?.txs ?? []) as { tx: string }[]) seen.add(tx)
  }
  expect(seen.size).toBe(COUNT)
  expect(await second.stop()).toBe(0)
})
