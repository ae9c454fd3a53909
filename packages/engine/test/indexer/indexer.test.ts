import { createVirtualClock } from '@org/runtime'
import { hashTx } from '@org/types'
import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import {
  createIndexer,
  createNullIndexer,
  INDEX_ERRORS,
  type Indexer,
  type IndexerOptions,
  type SearchOptions,
  UNLIMITED_SEARCH,
} from '../../src/indexer/index.ts'
import { createMemoryStore, type KeyValueStore } from '../../src/store/index.ts'
import { collect } from '../store/compliance.ts'
import { printable } from '../store/dumps.ts'
import { event, indexBlock } from './index-block.ts'

async function findTxs(indexer: Indexer, query: string, more: Partial<SearchOptions> = {}): Promise<string[]> {
  const hits = await indexer.txs({ query, order: 'asc', ...more })
  const page = await hits.page(0, hits.total)
  return page.map(({ tx, height, index }) => `${new TextDecoder().decode(tx)}@${height}/${index}`)
}

async function findBlocks(
  indexer: Indexer,
  query: string,
  more: Partial<SearchOptions> = {},
): Promise<readonly number[]> {
  const hits = await indexer.blocks({ query, order: 'asc', ...more })
  return hits.page(0, hits.total)
}

async function open(): Promise<{ db: KeyValueStore; indexer: Indexer }> {
  const db = createMemoryStore()
  return { db, indexer: createIndexer({ pruneInterval: 1 }, { db }) }
}

describe('indexer', () => {
  it('default: finds transactions by hash, height and attribute', async () => {
    const { indexer } = await open()
    await indexBlock(indexer, 1, { txs: [{ tx: 'a', events: [event('app', { key: 'x', n: '5' })] }] })
    await indexBlock(indexer, 2, {
      txs: [
        { tx: 'b', events: [event('app', { key: 'x', n: '7' })] },
        { tx: 'c', events: [] },
      ],
    })
    expect((await indexer.tx(hashTx(utf8ToBytes('a'))))?.height).toBe(1)
    expect(await indexer.tx(hashTx(utf8ToBytes('none')))).toBeUndefined()
    expect(await findTxs(indexer, 'tx.height=2')).toEqual(['b@2/0', 'c@2/1'])
    expect(await findTxs(indexer, "app.key='x'")).toEqual(['a@1/0', 'b@2/0'])
    expect(await findTxs(indexer, "app.key='x' AND app.n>5")).toEqual(['b@2/0'])
    expect(await findTxs(indexer, "app.key='x'", { order: 'desc' })).toEqual(['b@2/0', 'a@1/0'])
    expect(await findTxs(indexer, `tx.hash='${bytesToHex(hashTx(utf8ToBytes('c')))}'`)).toEqual(['c@2/1'])
  })

  it('behavior: a condition on tm.event holds for every entry of its kind, and for no other', async () => {
    const indexer = createIndexer({ referenceQueries: false }, { db: createMemoryStore() })
    await indexBlock(indexer, 1, { txs: [{ tx: 'a', events: [event('app', { key: 'x' })] }], events: [] })
    await indexBlock(indexer, 2, {
      txs: [{ tx: 'b', events: [event('tm', { event: 'own' })] }],
      events: [event('e', { k: 'v' })],
    })
    const hash = bytesToHex(hashTx(utf8ToBytes('a')))
    for (const query of ["tm.event='Tx'", 'tm.event EXISTS', "tm.event CONTAINS 'T'"])
      expect(await findTxs(indexer, query), query).toEqual(['a@1/0', 'b@2/0'])
    for (const query of [
      `tm.event='Tx' AND tx.hash='${hash}'`,
      "app.key='x' AND tm.event='Tx'",
      "tm.event='Tx' AND tx.height=1",
    ])
      expect(await findTxs(indexer, query), query).toEqual(['a@1/0'])
    for (const query of [
      "tm.event='NewBlock'",
      `tm.event='NewBlock' AND tx.hash='${hash}'`,
      "tm.event='tx' AND tx.height>0",
    ])
      expect(await findTxs(indexer, query), query).toEqual([])
    // A search finds a transaction if the application itself emitted an attribute `tm.event` with the searched value.
    expect(await findTxs(indexer, "tm.event='own'")).toEqual(['b@2/0'])

    for (const type of ['NewBlock', 'NewBlockEvents', 'NewBlockHeader']) {
      expect(await findBlocks(indexer, `tm.event='${type}'`), type).toEqual([1, 2])
      expect(await findBlocks(indexer, `tm.event='${type}' AND e.k='v'`), type).toEqual([2])
    }
    expect(await findBlocks(indexer, "tm.event='Tx'")).toEqual([])
  })

  it('behavior: a search while a block is written finds the block, and gets no older result', async () => {
    const db = createMemoryStore()
    const disk = Promise.withResolvers<void>()
    const slow: KeyValueStore = { ...db, write: (...given) => disk.promise.then(() => db.write(...given)) }
    const indexer = createIndexer({}, { db: slow })
    expect([await findTxs(indexer, "app.key='x'"), await findBlocks(indexer, 'block.height>0')]).toEqual([[], []])
    const [before, seen] = [indexer.generation(), [] as unknown[]]
    const indexed = indexBlock(indexer, 1, { txs: [{ tx: 'a', events: [event('app', { key: 'x' })] }] })
    expect([indexer.hasBlock(1), indexer.hasBlock(2), indexer.generation() === before]).toEqual([true, false, false])
    const asked = [
      indexer.tx(hashTx(utf8ToBytes('a'))).then((found) => found?.height),
      findTxs(indexer, "app.key='x'"),
      findBlocks(indexer, 'block.height>0'),
      indexer.written(),
    ].map((answer) => answer.then((value) => seen.push(value)))
    await new Promise(setImmediate)
    expect(seen).toEqual([])
    disk.resolve()
    await Promise.all([indexed, ...asked])
    expect(seen).toEqual(expect.arrayContaining([1, ['a@1/0'], [1], undefined]))
  })

  it('behavior: an indexed transaction does not wait for a write, unless it is committed again', async () => {
    const db = createMemoryStore()
    const disk = Promise.withResolvers<void>()
    let write = db.write
    const indexer = createIndexer({}, { db: { ...db, write: (...given) => write(...given) } })
    await indexBlock(indexer, 1, { txs: ['a', 'b'].map((tx) => ({ tx, events: [] })) })
    write = (...given) => disk.promise.then(() => db.write(...given))
    const indexed = indexBlock(indexer, 2, { txs: [{ tx: 'a', events: [] }] })
    const again = indexer.tx(hashTx(utf8ToBytes('a')))
    expect((await indexer.tx(hashTx(utf8ToBytes('b'))))?.height).toBe(1)
    disk.resolve()
    await indexed
    expect((await again)?.height).toBe(2)
  })

  it('error: a failed write blocks no search, and no search returns an empty result', async () => {
    const db = createMemoryStore()
    let write = db.write
    const indexer = createIndexer({}, { db: { ...db, write: (...given) => write(...given) } })
    await indexBlock(indexer, 1, { txs: ['again', 'there'].map((tx) => ({ tx, events: [] })) })
    write = () => Promise.reject(new Error('disk'))
    const indexed = indexBlock(indexer, 2, { txs: ['again', 'a'].map((tx) => ({ tx, events: [] })) })
    const asked = indexer.tx(hashTx(utf8ToBytes('a')))
    await expect(indexed).rejects.toThrow('disk')
    const unwritten = { code: INDEX_ERRORS.unwritten, message: 'block 2 could not be indexed: disk' }
    await expect(asked).rejects.toMatchObject(unwritten)
    await expect(findTxs(indexer, "app.key='x'")).rejects.toMatchObject(unwritten)
    await expect(findBlocks(indexer, 'block.height>0')).rejects.toMatchObject(unwritten)
    await expect(indexer.tx(hashTx(utf8ToBytes('again')))).rejects.toMatchObject(unwritten)
    await expect(indexer.written()).rejects.toMatchObject(unwritten)
    expect([indexer.hasBlock(1), indexer.hasBlock(2)]).toEqual([true, false])
    // The entries of earlier blocks can still be read, although block 2 could not be indexed.
    expect(await indexer.tx(hashTx(utf8ToBytes('there')))).toMatchObject({ height: 1, index: 1 })
  })

  it('default: finds blocks by height and attribute', async () => {
    const { indexer } = await open()
    await indexBlock(indexer, 1, { events: [event('v', { size: '3' }), event('v', { size: '4' })] })
    await indexBlock(indexer, 70_000, { events: [event('v', { size: '4' })] })
    expect(await findBlocks(indexer, 'block.height>0')).toEqual([1, 70_000])
    expect(await findBlocks(indexer, 'block.height=1')).toEqual([1])
    expect(await findBlocks(indexer, 'v.size>=4')).toEqual([1, 70_000])
    expect(await findBlocks(indexer, 'v.size=4 AND block.height>1')).toEqual([70_000])
    expect(await findBlocks(indexer, 'v.size EXISTS', { order: 'desc' })).toEqual([70_000, 1])
    expect(indexer.hasBlock(2)).toBe(false)
  })

  it('behavior: indexes only attributes with a name and `index`, and no reserved names', async () => {
    const { db, indexer } = await open()
    const events = [
      event('', { key: 'x' }),
      event('app', { '': 'x' }),
      event('app', { hidden: 'x' }, false),
      event('tx', { height: '9', hash: 'x' }),
      event('block', { height: '9' }),
      event('app', { shown: 'x' }),
    ]
    await indexBlock(indexer, 1, { txs: [{ tx: 'a', events }], events })
    const tags = (await collect(db.keys())).map(printable).filter((key) => !key.startsWith('0x'))
    expect(tags).toEqual(['app.shown/x/1/0$es$6', 'block.height/9/1/0$es$5', 'tx.height/1/1/0$es$0'])
  })

  it('behavior: indexing a block again replaces its entries', async () => {
    const { db, indexer } = await open()
    const content = { txs: [{ tx: 'a', events: [event('app', { key: 'x' })] }], events: [event('v', { size: '1' })] }
    await indexBlock(indexer, 1, content)
    const before = (await collect(db.keys())).length
    await indexBlock(indexer, 1, content)
    await indexBlock(createIndexer({}, { db }), 1, content)
    expect(await collect(db.keys())).toHaveLength(before)
    expect(await findTxs(indexer, "app.key='x'")).toEqual(['a@1/0'])
    expect(await findBlocks(indexer, 'v.size=1')).toEqual([1])
  })

  it('behavior: a transaction that is committed again is found once, at its last position', async () => {
    const { indexer } = await open()
    const tx = { tx: 'a', events: [event('app', { key: 'x' })] }
    await indexBlock(indexer, 1, { txs: [tx] })
    await indexBlock(indexer, 2, { txs: [{ tx: 'b', events: [event('app', { key: 'x' })] }, tx] })
    expect(await findTxs(indexer, "app.key='x'")).toEqual(['b@2/0', 'a@2/1'])
    expect(await findTxs(indexer, 'tx.height=1')).toEqual(['a@2/1'])
  })

  it('behavior: only the records of the requested page are decoded', async () => {
    const { indexer } = await open()
    for (let height = 1; height <= 5; height++)
      await indexBlock(indexer, height, { txs: [{ tx: `${height}`, events: [] }] })
    const hits = await indexer.txs({ query: 'tx.height>0', order: 'desc' })
    expect(hits.total).toBe(5)
    expect((await hits.page(1, 2)).map(({ height }) => height)).toEqual([4, 3])
    expect(await hits.page(5, 2)).toEqual([])
  })

  it('behavior: the reference’s interpretation can be turned off', async () => {
    const { indexer } = await open()
    await indexBlock(indexer, 53, { txs: [{ tx: 'a', events: [event('app', { key: 'x/y', amount: '5.0' })] }] })
    await indexBlock(indexer, 60, {
      txs: [{ tx: 'b', events: [event('app', { key: 'x' })] }],
      events: [event('v', { at: '2024-05-03' })],
    })
    const exact = { referenceQueries: false }
    const both = async (query: string): Promise<[string[], string[]]> => [
      await findTxs(indexer, query),
      await findTxs(indexer, query, exact),
    ]
    expect(await both('tx.height=53.0')).toEqual([[], ['a@53/0']])
    expect(await both('tx.height=53 AND tx.height>1')).toEqual([['a@53/0', 'b@60/0'], ['a@53/0']])
    expect(await both("app.key='x'")).toEqual([['a@53/0', 'b@60/0'], ['b@60/0']])
    expect(await both('app.amount=5')).toEqual([[], ['a@53/0']])
    expect(await both("tx.height EXISTS AND app.key='x'")).toEqual([[], ['b@60/0']])
    expect(await both("tx.height CONTAINS '6' AND app.key='x'")).toEqual([[], ['b@60/0']])
    expect(await both('app.amount>9 AND app.amount>1')).toEqual([['a@53/0'], []])
    expect(await both('app.amount EXISTS AND tx.height=0')).toEqual([['a@53/0'], []])
    expect(await both('tx.height=60 AND tx.height=53')).toEqual([['b@60/0'], []])
    expect(await both("app.amount CONTAINS '5.0'")).toEqual([['a@53/0'], ['a@53/0']])
    const hash = bytesToHex(hashTx(utf8ToBytes('a')))
    expect(await both(`tx.hash='${hash}' AND tx.height=60`)).toEqual([['a@53/0'], []])
    expect(await both(`tx.hash='${hash}' AND tx.height=53`)).toEqual([['a@53/0'], ['a@53/0']])
    expect(await findBlocks(indexer, 'v.at>=DATE 2024-05-01')).toEqual([])
    expect(await findBlocks(indexer, 'v.at>=DATE 2024-05-01', exact)).toEqual([60])
    expect(await findBlocks(indexer, 'block.height EXISTS')).toEqual([])
    expect(await findBlocks(indexer, 'block.height EXISTS', exact)).toEqual([53, 60])
  })

  it('default: pruning removes the entries below a height', async () => {
    const { db, indexer } = await open()
    const again = { tx: 'again', events: [event('app', { key: 'again' })] }
    for (let height = 1; height <= 6; height++) {
      const own = { tx: `${height}`, events: [event('app', { key: 'x', n: `${height}` })] }
      await indexBlock(indexer, height, {
        txs: height % 3 === 0 ? [own, again] : [own],
        events: [event('v', { n: `${height}` })],
      })
    }
    await indexer.prune(5)
    expect(await findTxs(indexer, 'tx.height>0')).toEqual(['5@5/0', '6@6/0', 'again@6/1'])
    expect(await findTxs(indexer, 'app.key EXISTS')).toEqual(['5@5/0', '6@6/0', 'again@6/1'])
    expect(await findBlocks(indexer, 'v.n>0')).toEqual([5, 6])
    const fresh = createMemoryStore()
    const kept = createIndexer({}, { db: fresh })
    for (const height of [5, 6]) {
      const own = { tx: `${height}`, events: [event('app', { key: 'x', n: `${height}` })] }
      await indexBlock(kept, height, {
        txs: height === 6 ? [own, again] : [own],
        events: [event('v', { n: `${height}` })],
      })
    }
    expect(await collect(db.keys())).toHaveLength((await collect(fresh.keys())).length)
  })

  it('error: refuses an empty hash and invalid hashes, and ends an aborted search', async () => {
    const { indexer } = await open()
    await indexBlock(indexer, 1, { txs: [{ tx: 'a', events: [] }] })
    const hash = (message: string) => ({ code: INDEX_ERRORS.hash, message })
    await expect(indexer.tx(new Uint8Array(0))).rejects.toMatchObject(hash('transaction hash cannot be empty'))
    const prefix = 'error during searching for a hash in the query: encoding/hex: '
    await expect(findTxs(indexer, "tx.hash='zz'")).rejects.toMatchObject(hash(`${prefix}invalid byte: U+007A 'z'`))
    await expect(findTxs(indexer, "tx.hash='abc'")).rejects.toMatchObject(hash(`${prefix}odd length hex string`))
    await expect(findTxs(indexer, 'tx.hash EXISTS')).rejects.toMatchObject(
      hash('error while retrieving the result: transaction hash cannot be empty'),
    )
    const reason = new Error('enough')
    await expect(findTxs(indexer, 'tx.height>0', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('error: refuses a search that reads too many keys, or takes too long', async () => {
    const clock = createVirtualClock()
    const db = createMemoryStore()
    const chunks: KeyValueStore['chunks'] = async function* (range) {
      for await (const entries of db.chunks(range)) {
        clock.advance(60)
        yield entries
      }
    }
    const limited = (limits: Partial<IndexerOptions>) => createIndexer(limits, { db: { ...db, chunks }, clock })
    for (let height = 1; height <= 4; height++) {
      const events = [event('app', { key: 'x', n: `${height}` })]
      await indexBlock(limited({}), height, { txs: [{ tx: `${height}`, events }], events })
    }
    const both = "app.key='x' AND app.n>2"
    const budget = { code: INDEX_ERRORS.scanBudget, message: expect.stringContaining('more than 7 keys') }
    await expect(findTxs(limited({ scanBudget: 7 }), both)).rejects.toMatchObject(budget)
    await expect(findBlocks(limited({ scanBudget: 7 }), both)).rejects.toMatchObject(budget)
    expect(await findTxs(limited({ scanBudget: 8 }), both)).toEqual(['3@3/0', '4@4/0'])
    const deadline = { code: INDEX_ERRORS.deadline, message: expect.stringContaining('longer than 100 ms') }
    await expect(findTxs(limited({ deadlineMs: 100 }), both)).rejects.toMatchObject(deadline)
    await expect(findBlocks(limited({ deadlineMs: 100 }), both)).rejects.toMatchObject(deadline)
    expect(await findTxs(limited({ deadlineMs: 100 }), 'app.n>2')).toEqual(['3@3/0', '4@4/0'])
    const unlimited = limited(UNLIMITED_SEARCH)
    expect(await findTxs(unlimited, both)).toEqual(['3@3/0', '4@4/0'])
  })

  it('behavior: a search runs once for all callers, until a block changes its result', async () => {
    const db = createMemoryStore()
    let scans = 0
    const keyTexts: KeyValueStore['keyTexts'] = (range) => {
      scans++
      return db.keyTexts(range)
    }
    const indexer = createIndexer({}, { db: { ...db, keyTexts } })
    await indexBlock(indexer, 1, { txs: [{ tx: 'a', events: [event('app', { key: 'x' })] }] })
    const all = Array.from({ length: 8 }, () => findTxs(indexer, "app.key='x'"))
    expect(await Promise.all(all)).toEqual(all.map(() => ['a@1/0']))
    expect(await findTxs(indexer, "app.key = 'x'", { order: 'desc' })).toEqual(['a@1/0'])
    await indexBlock(indexer, 2, {})
    expect(await findTxs(indexer, "app.key='x'")).toEqual(['a@1/0'])
    expect(scans).toBe(1)
    await indexBlock(indexer, 3, { txs: [{ tx: 'b', events: [event('app', { key: 'x' })] }] })
    expect(await findTxs(indexer, "app.key='x'")).toEqual(['a@1/0', 'b@3/0'])
    expect(scans).toBe(2)
  })

  it('behavior: a caller that aborts does not end the search of others', async () => {
    const { indexer } = await open()
    await indexBlock(indexer, 1, { txs: [{ tx: 'a', events: [event('app', { key: 'x' })] }] })
    const controller = new AbortController()
    const reason = new Error('enough')
    const givenUp = findTxs(indexer, 'app.key EXISTS', { signal: controller.signal })
    const other = findTxs(indexer, 'app.key EXISTS')
    controller.abort(reason)
    await expect(givenUp).rejects.toBe(reason)
    expect(await other).toEqual(['a@1/0'])
  })

  it('behavior: values that are not UTF-8 are found by their other text, because a query has no such bytes', async () => {
    const { indexer } = await open()
    const value = bytesToUtf8(Uint8Array.of(0x61, 0xff, 0x62))
    const events = [event('app', { key: value })]
    await indexBlock(indexer, 1, { txs: [{ tx: 'a', events }], events })
    for (const [i, key] of ['A', 'b', 'z\ufffdb'].entries()) {
      await indexBlock(indexer, i + 2, { txs: [{ tx: key, events: [event('app', { key })] }] })
    }
    const containB = ['a@1/0', 'b@3/0', 'z\ufffdb@4/0']
    for (const referenceQueries of [true, false]) {
      expect(await findTxs(indexer, `app.key='${value}'`, { referenceQueries })).toEqual([])
      expect(await findTxs(indexer, `app.key CONTAINS '${value.slice(1)}'`, { referenceQueries })).toEqual([
        'z\ufffdb@4/0',
      ])
      expect(await findTxs(indexer, "app.key CONTAINS 'b'", { referenceQueries })).toEqual(containB)
      expect(await findBlocks(indexer, "app.key CONTAINS 'b'", { referenceQueries })).toEqual([1])
      expect(await findTxs(indexer, "app.key='a\ufffdb'", { referenceQueries })).toEqual([])
    }
  })

  it('default: the null indexer stores nothing and reports that', async () => {
    const indexer = createNullIndexer()
    await indexBlock(indexer, 1, {})
    expect([indexer.enabled, indexer.hasBlock(1)]).toEqual([false, false])
    await expect(indexer.tx(new Uint8Array(32))).rejects.toThrow('transaction indexing is disabled')
    await expect(findTxs(indexer, 'tx.height=1')).rejects.toThrow('transaction indexing is disabled')
    await expect(findBlocks(indexer, 'block.height=1')).rejects.toThrow('block indexing is disabled')
  })
})
