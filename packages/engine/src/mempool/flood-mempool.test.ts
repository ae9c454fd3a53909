import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { ExecTxResult } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { createScriptedApp } from '../../test/mempool/scripted-app.ts'
import { createFloodMempool } from './flood-mempool.ts'
import type { Mempool } from './mempool.ts'
import { DEFAULT_MEMPOOL_OPTIONS, type MempoolOptions } from './options.ts'
import { postCheckMaxGas, preCheckMaxBytes } from './tx-checks.ts'

const bytes = utf8ToBytes
const texts = (txs: readonly Uint8Array[]): string[] => txs.map((tx) => new TextDecoder().decode(tx))
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

function setUp(options: Partial<MempoolOptions> = {}) {
  const app = createScriptedApp()
  const clock = createVirtualClock()
  const pool = createFloodMempool(
    { ...DEFAULT_MEMPOOL_OPTIONS, ...options },
    { app, clock, logger: noopLogger, metrics: noopMetrics },
  )
  return { app, clock, pool }
}

async function commit(pool: Mempool, txs: readonly string[], { height = 2, code = 0 } = {}): Promise<void> {
  const release = await pool.lock()
  await pool.flushAppConn()
  const txResults = txs.map(() => ExecTxResult.create({ code }))
  await pool.update({ height, txs: txs.map(bytes), txResults })
  release()
}

test('default: accepts the transactions that the application accepts, in order', async () => {
  const { app, pool } = setUp()
  app.rule = ({ tx }) => ({ code: tx[0] === 98 ? 2 : 0 })
  const answers = await Promise.all(['a', 'b', 'c'].map((tx) => pool.checkTx(bytes(tx))))
  expect(answers.map(({ code }) => code)).toEqual([0, 2, 0])
  expect(texts(pool.reapMaxTxs(-1))).toEqual(['a', 'c'])
  expect([pool.size(), pool.sizeBytes()]).toEqual([2, 2])
})

test('behavior: reapMaxTxs returns one transaction more than its limit, as in the reference', async () => {
  const { pool } = setUp()
  for (const tx of ['a', 'b', 'c']) await pool.checkTx(bytes(tx))
  expect(texts(pool.reapMaxTxs(1))).toEqual(['a', 'b'])
})

test('behavior: reaping counts bytes as in the block, and gas', async () => {
  const { app, pool } = setUp()
  app.rule = () => ({ gasWanted: 10n })
  for (const tx of ['aaaa', 'bbbb', 'cccc']) await pool.checkTx(bytes(tx))
  expect(texts(await pool.reapMaxBytesMaxGas(12, -1n))).toEqual(['aaaa', 'bbbb'])
  expect(texts(await pool.reapMaxBytesMaxGas(11, -1n))).toEqual(['aaaa'])
  expect(texts(await pool.reapMaxBytesMaxGas(-1, 29n))).toEqual(['aaaa', 'bbbb'])
  expect(texts(await pool.reapMaxBytesMaxGas(-1, 0n))).toEqual([])
})

test('error: the reasons of refusals are checked in the order full, too large, pre check, cache', async () => {
  const { app, pool } = setUp({ size: 1, maxTxBytes: 4 })
  await expect(pool.checkTx(bytes('12345'))).rejects.toThrow('Tx too large. Max size is 4, but got 5')
  await pool.checkTx(bytes('a'))
  await expect(pool.checkTx(bytes('12345'))).rejects.toThrow(
    'mempool is full: number of txs 1 (max: 1), total txs bytes 1 (max: 1073741824)',
  )
  await commit(pool, ['a'])
  await expect(pool.checkTx(bytes('a'))).rejects.toThrow('tx already exists in cache')
  await pool.update({ height: 3, txs: [], txResults: [], preCheck: preCheckMaxBytes(4) })
  await expect(pool.checkTx(bytes('abc'))).rejects.toThrow('tx pre check: tx size is too big: 5, max: 4')
  expect(app.requests.length).toBe(1)
})

test('error: refuses a transaction above the limit of all bytes', async () => {
  const { pool } = setUp({ maxTxsBytes: 5 })
  await pool.checkTx(bytes('abc'))
  await expect(pool.checkTx(bytes('def'))).rejects.toMatchObject({ code: 'MEMPOOL_FULL' })
  await pool.checkTx(bytes('de'))
})

test('error: a node that is short of memory refuses new transactions, keeps the others, and accepts the same transaction later', async () => {
  const { app, pool } = setUp()
  await pool.checkTx(bytes('a'))
  pool.setShortOfMemory(true)
  await expect(pool.checkTx(bytes('b'))).rejects.toMatchObject({ code: 'MEMPOOL_SHORT_OF_MEMORY' })
  expect(app.requests.length).toBe(1)
  expect(texts(await pool.reapMaxBytesMaxGas(-1, -1n))).toEqual(['a'])
  pool.setShortOfMemory(false)
  await pool.checkTx(bytes('b'))
  expect(texts(pool.reapMaxTxs(-1))).toEqual(['a', 'b'])
})

test('behavior: checks the room again after the application answered', async () => {
  const { app, pool } = setUp({ size: 1 })
  app.immediate = false
  const both = [pool.checkTx(bytes('a')), pool.checkTx(bytes('b'))]
  await app.answer()
  expect((await Promise.all(both)).map(({ code }) => code)).toEqual([0, 0])
  expect(texts(pool.reapMaxTxs(-1))).toEqual(['a'])
  await commit(pool, ['a'])
  app.immediate = true
  await pool.checkTx(bytes('b'))
  expect(texts(pool.reapMaxTxs(-1))).toEqual(['b'])
})

test('behavior: a transaction that the application refused may be sent again, unless the cache keeps it', async () => {
  for (const keepInvalidTxsInCache of [false, true]) {
    const { app, pool } = setUp({ keepInvalidTxsInCache })
    app.rule = () => ({ code: 1 })
    await pool.checkTx(bytes('a'))
    app.rule = () => ({})
    const again = pool.checkTx(bytes('a'))
    if (keepInvalidTxsInCache) await expect(again).rejects.toMatchObject({ code: 'MEMPOOL_TX_IN_CACHE' })
    else expect((await again).code).toBe(0)
  }
})

test('behavior: a post check refuses without changing the answer', async () => {
  const { app, pool } = setUp()
  await pool.update({ height: 1, txs: [], txResults: [], postCheck: postCheckMaxGas(5n) })
  app.rule = () => ({ gasWanted: 6n })
  expect((await pool.checkTx(bytes('a'))).code).toBe(0)
  expect(pool.size()).toBe(0)
})

test('behavior: records each sender of a transaction', async () => {
  const { pool } = setUp()
  await pool.checkTx(bytes('a'), { senderId: 3 })
  await expect(pool.checkTx(bytes('a'), { senderId: 7 })).rejects.toThrow('tx already exists in cache')
  expect([...(pool.entries().next()?.senders ?? [])]).toEqual([3, 7])
})

test('behavior: checks wait for a commit, and are then sent in order after all rechecks', async () => {
  const { app, pool } = setUp()
  for (const tx of ['a', 'b', 'c']) await pool.checkTx(bytes(tx))
  app.requests.length = 0
  app.immediate = false
  const release = await pool.lock()
  const waiting = ['d', 'e'].map((tx) => pool.checkTx(bytes(tx)))
  expect(app.requests).toEqual([])
  await pool.update({ height: 2, txs: [bytes('b')], txResults: [ExecTxResult.create()] })
  release()
  await turns()
  expect(app.requests.map(({ tx, type }) => texts([tx]).join() + type)).toEqual(['a1', 'c1', 'd0', 'e0'])
  await app.answer()
  await Promise.all(waiting)
  expect(texts(pool.reapMaxTxs(-1))).toEqual(['a', 'c', 'd', 'e'])
})

test('behavior: reaping waits for rechecks, and a transaction that fails one is removed and may come again', async () => {
  const { app, pool } = setUp()
  for (const tx of ['a', 'b']) await pool.checkTx(bytes(tx))
  app.immediate = false
  app.rule = ({ tx, type }) => ({ code: type === 1 && tx[0] === 97 ? 1 : 0 })
  await commit(pool, [])
  const reaped = pool.reapMaxBytesMaxGas(-1, -1n)
  let done = false
  void reaped.then(() => {
    done = true
  })
  await turns()
  expect(done).toBe(false)
  await app.answer()
  expect(texts(await reaped)).toEqual(['b'])
  app.immediate = true
  await pool.checkTx(bytes('a'))
  expect(texts(pool.reapMaxTxs(-1))).toEqual(['b', 'a'])
})

test('behavior: after the recheck timeout reaping continues and late answers are dropped', async () => {
  const { app, pool, clock } = setUp({ recheckTimeout: 1000 })
  for (const tx of ['a', 'b']) await pool.checkTx(bytes(tx))
  app.immediate = false
  app.rule = () => ({ code: 1 })
  await commit(pool, [])
  const reaped = pool.reapMaxBytesMaxGas(-1, -1n)
  await app.answer(1)
  clock.advance(1000)
  expect(texts(await reaped)).toEqual(['b'])
  await app.answer()
  expect(pool.size()).toBe(1)
  expect(clock.pending()).toBe(0)
})

test('error: while a new block arrives during a recheck the pool counts as full', async () => {
  const { app, pool } = setUp()
  await pool.checkTx(bytes('a'))
  app.immediate = false
  await commit(pool, [])
  const release = await pool.lock()
  release()
  await expect(pool.checkTx(bytes('b'))).rejects.toThrow(
    'mempool is still rechecking after a new committed block, so it is considered as full',
  )
  await app.answer()
  app.immediate = true
  await pool.checkTx(bytes('b'))
})

test('behavior: listeners are called for transactions once per height', async () => {
  const { pool } = setUp()
  let calls = 0
  await pool.checkTx(bytes('x'))
  pool.enableTxsAvailable()
  pool.txsAvailable(() => calls++)
  expect(calls).toBe(0)
  for (const tx of ['a', 'b']) await pool.checkTx(bytes(tx))
  expect(calls).toBe(1)
  await commit(pool, ['a'])
  await turns()
  expect(calls).toBe(2)
  await commit(pool, ['b', 'x'], { height: 3 })
  await turns()
  expect(calls).toBe(2)
})

test('behavior: committed transactions that failed may come again', async () => {
  const { pool } = setUp()
  await commit(pool, ['a'], { code: 1 })
  await pool.checkTx(bytes('a'))
  expect(pool.size()).toBe(1)
})

test('behavior: remove() removes one transaction, which can then be added again', async () => {
  const { pool } = setUp()
  for (const tx of ['aa', 'b']) await pool.checkTx(bytes(tx))
  expect(pool.remove(sha256(bytes('aa')))).toEqual(bytes('aa'))
  expect(pool.remove(sha256(bytes('aa')))).toBeUndefined()
  expect([texts(pool.reapMaxTxs(-1)), pool.sizeBytes()]).toEqual([['b'], 1])
  await pool.checkTx(bytes('aa'))
  expect(texts(pool.reapMaxTxs(-1))).toEqual(['b', 'aa'])
})

test('behavior: flush removes all transactions and empties the cache', async () => {
  const { pool } = setUp()
  await pool.checkTx(bytes('a'))
  await pool.checkTx(bytes('b'))
  pool.flush()
  expect([pool.size(), pool.sizeBytes()]).toEqual([0, 0])
  await pool.checkTx(bytes('a'))
})

test('error: rejects checks after a lost connection', async () => {
  const { app, pool } = setUp()
  app.fail(new Error('read tcp: EOF'))
  await expect(pool.checkTx(bytes('a'))).rejects.toThrow('appConn mempool: read tcp: EOF')
})

test('error: refuses more open checks than allowed', async () => {
  const { app, pool } = setUp({ maxPending: 1 })
  app.immediate = false
  const first = pool.checkTx(bytes('a'))
  await expect(pool.checkTx(bytes('b'))).rejects.toMatchObject({ code: 'MEMPOOL_FULL' })
  const release = await pool.lock()
  const waiting = pool.checkTx(bytes('c'))
  await expect(pool.checkTx(bytes('d'))).rejects.toMatchObject({ code: 'MEMPOOL_FULL' })
  await app.answer()
  await first
  release()
  await turns()
  await app.answer()
  expect((await waiting).code).toBe(0)
})

test('error: refuses more bytes in open checks than allowed', async () => {
  const { app, pool } = setUp({ maxPendingBytes: 5 })
  app.immediate = false
  const first = pool.checkTx(bytes('aaa'))
  await expect(pool.checkTx(bytes('bbb'))).rejects.toMatchObject({ code: 'MEMPOOL_FULL' })
  const release = await pool.lock()
  const waiting = pool.checkTx(bytes('cc'))
  await expect(pool.checkTx(bytes('dddd'))).rejects.toMatchObject({ code: 'MEMPOOL_FULL' })
  await app.answer()
  await first
  release()
  await turns()
  await app.answer()
  expect((await waiting).code).toBe(0)
  app.immediate = true
  expect((await pool.checkTx(bytes('eeeee'))).code).toBe(0)
})

test('behavior: flushAppConn waits for every answer', async () => {
  const { app, pool } = setUp()
  app.immediate = false
  const check = pool.checkTx(bytes('a'))
  const release = await pool.lock()
  let flushed = false
  const flush = pool.flushAppConn().then(() => {
    flushed = true
  })
  await turns()
  expect(flushed).toBe(false)
  await app.answer()
  await flush
  expect((await check).code).toBe(0)
  expect(pool.size()).toBe(1)
  release()
})
