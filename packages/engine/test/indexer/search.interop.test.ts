import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, unpackHome } from '@org/golden'
import { hashTx } from '@org/types'
import type { TxResult } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIndexer, type Indexer } from '../../src/indexer/index.ts'
import { createMemoryStore, type KeyValueStore, openLevelStore, put } from '../../src/store/index.ts'
import { testBlock, testQuery } from './arbitrary.ts'
import { indexBlock } from './index-block.ts'

const COMETBFT = process.env.COMETBFT_BIN ?? 'cometbft'

function hasReference(): boolean {
  try {
    return execFileSync(COMETBFT, ['version'], { encoding: 'utf8' }).startsWith('0.38.')
  } catch {
    return false
  }
}

interface Found {
  readonly txs?: readonly { readonly hash: string; readonly height: string; readonly index: number }[]
  readonly blocks?: readonly { readonly block: { readonly header: { readonly height: string } } }[]
  readonly total_count: string
}

// The number of blocks in the index, which must be the number of blocks in the recorded home. The reason is that the
// reference loads each block that a search finds from the recorded home.
const HEIGHTS = 75
const LIMIT = 100

describe.skipIf(!hasReference())('searches beside a v0.38 cometbft on PATH (skipped without one)', () => {
  const db = createMemoryStore()
  let root: string
  let indexer: Indexer
  /**
   * A second index of the same blocks. It has scanned its entries, and has in memory which transactions were committed
   * more than once. So its searches need not read the records of transactions.
   */
  let indexerWithList: Indexer
  let node: ChildProcess
  let url: string

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'halley-search-'))
    const home = join(root, 'home')
    await unpackHome('kvstore-single/home.tar.gz', home)
    const path = join(home, 'data', 'tx_index.db')
    await rm(path, { recursive: true })
    indexer = createIndexer({}, { db })
    const blocks = fc.sample(testBlock, { numRuns: HEIGHTS, seed: 1 })
    let count = 0
    for (const [i, block] of blocks.entries()) {
      // The reference returns at most 100 hits on a page, and the test reads only one page. So the index has at most
      // 100 transactions.
      const txs = block.txs.slice(0, LIMIT - count)
      count += txs.length
      await indexBlock(indexer, i + 1, { ...block, txs })
    }
    indexerWithList = createIndexer({ directReads: 0 }, { db })
    await copy(db, path)
    for (const name of ['blockstore', 'state']) {
      const written = join(home, 'data', `${name}.db`)
      const from = await openLevelStore(written)
      await copy(from, `${written}.ours`)
      await from.close()
      await rm(written, { recursive: true })
      await rename(`${written}.ours`, written)
    }
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    node = spawn(COMETBFT, ['inspect', '--home', home, '--rpc.laddr', `tcp://127.0.0.1:${port}`], { stdio: 'ignore' })
    await answering(url)
  })

  afterAll(async () => {
    if (node?.exitCode === null) {
      node.kill('SIGKILL')
      await once(node, 'exit')
    }
    await rm(root, { recursive: true, force: true })
  })

  async function askReference(method: string, query: string): Promise<unknown> {
    const params = { query, per_page: String(LIMIT), order_by: 'asc' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', body })
    const { result, error } = (await response.json()) as { result?: Found; error?: { data?: string } }
    if (result === undefined) return { error: error?.data }
    const found =
      result.txs?.map(({ hash, height, index }) => `${hash} ${height}/${index}`) ??
      result.blocks?.map(({ block }) => block.header.height)
    return { total: result.total_count, found }
  }

  async function askOurs(indexer: Indexer, method: string, query: string): Promise<unknown> {
    try {
      if (method === 'tx_search') {
        const hits = await indexer.txs({ query, order: 'asc' })
        const page = await hits.page(0, LIMIT)
        const found = page.map(({ tx, height, index }) => `${bytesToHex(hashTx(tx))} ${height}/${index}`)
        return { total: String(hits.total), found }
      }
      const hits = await indexer.blocks({ query, order: 'asc' })
      return { total: String(hits.total), found: (await hits.page(0, LIMIT)).map(String) }
    } catch (error) {
      return { error: (error as Error).message }
    }
  }

  it('behavior: the reference reads block and state databases that we wrote', async () => {
    const { result } = (await (await fetch(`${url}/block?height=66`)).json()) as {
      result: { block: { header: { height: string }; data: { txs: string[] } } }
    }
    expect([result.block.header.height, result.block.data.txs.length]).toEqual(['66', 10])
    const results = (await (await fetch(`${url}/block_results?height=66`)).json()) as {
      result: { txs_results: unknown[] }
    }
    expect(results.result.txs_results).toHaveLength(10)
  })

  it.each(["tm.event = 'Tx' AND tx.hash = 'HASH'", "tx.hash = 'HASH' AND tm.event = 'Tx'"])(
    'behavior: %s finds the transaction that the reference finds, with both ways to read a query',
    async (pattern) => {
      const first = await indexer.txs({ query: 'tx.height>0', order: 'asc' })
      const [found] = await first.page(0, 1)
      const query = pattern.replace('HASH', bytesToHex(hashTx((found as TxResult).tx)))
      const recorded = await askReference('tx_search', query)
      expect(recorded).toMatchObject({ total: '1' })
      expect(await askOurs(indexer, 'tx_search', query)).toEqual(recorded)
      const exact = createIndexer({ referenceQueries: false }, { db })
      expect(await askOurs(exact, 'tx_search', query)).toEqual(recorded)
    },
  )

  it.each([
    ['tx_search', 'tx.height', 'block.height'],
    ['block_search', 'block.height', 'tx.height'],
  ])('behavior: %s finds the same for any query', async (method, heightTag, otherTag) => {
    await fc.assert(
      fc.asyncProperty(testQuery(heightTag, otherTag), async (query) => {
        const recorded = await askReference(method, query)
        // The reference's command `inspect` has no logger. In cases in which a running node logs an error and
        // continues, this command crashes.
        if (JSON.stringify(recorded).includes('nil pointer dereference')) return
        expect([query, await askOurs(indexer, method, query)]).toEqual([query, recorded])
        expect([query, await askOurs(indexerWithList, method, query)]).toEqual([query, recorded])
      }),
      { numRuns: Number(process.env.SEARCH_RUNS ?? 1000) },
    )
  })
})

async function copy(from: KeyValueStore, path: string): Promise<void> {
  const to = await openLevelStore(path)
  for await (const entries of from.chunks()) await to.write(entries.map(([key, value]) => put(key, value)))
  await to.close()
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await fetch(`${url}/health`)
      return
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
