import {
  type ApplySnapshotChunkResult,
  OfferSnapshotResult,
  RequestApplySnapshotChunk,
  RequestOfferSnapshot,
  type Snapshot,
} from '@org/types/abci'
import { expect, test } from 'vitest'
import { createKvStore, type KvStore, RULES, type RulesName } from '../src/index.ts'
import { commitBlock, storedUnder } from './helpers.ts'

const SMALL = { interval: 2, keep: 2 }

async function filled(rules: RulesName, txs = 40, valueBytes = 10): Promise<KvStore> {
  const app = createKvStore({ rules, snapshots: SMALL })
  for (let height = 1; height <= 5; height++) {
    const block = Array.from({ length: txs }, (_, i) => `key-${height}-${i}=${'v'.repeat(valueBytes)}`)
    await commitBlock(app, height, block)
    await app.listSnapshots({})
  }
  return app
}

async function newest(app: KvStore): Promise<Snapshot> {
  const { snapshots = [] } = await app.listSnapshots({})
  const last = snapshots.at(-1)
  if (last === undefined) throw new Error('no snapshot')
  return last
}

async function chunksOf(app: KvStore, { height, format, chunks }: Snapshot): Promise<Uint8Array[]> {
  const loaded: Uint8Array[] = []
  for (let chunk = 0; chunk < chunks; chunk++) {
    loaded.push((await app.loadSnapshotChunk({ height, format, chunk })).chunk ?? new Uint8Array(0))
  }
  return loaded
}

async function offer(app: KvStore, snapshot: Snapshot, appHash: Uint8Array): Promise<OfferSnapshotResult | undefined> {
  return (await app.offerSnapshot(RequestOfferSnapshot.create({ snapshot, appHash }))).result
}

async function apply(app: KvStore, chunks: readonly Uint8Array[]): Promise<(ApplySnapshotChunkResult | undefined)[]> {
  const results: (ApplySnapshotChunkResult | undefined)[] = []
  for (const [index, chunk] of chunks.entries()) {
    const request = RequestApplySnapshotChunk.create({ index, chunk, sender: 'peer' })
    results.push((await app.applySnapshotChunk(request)).result)
  }
  return results
}

/** The application hash of the state after five blocks of `txs` transactions. */
async function hashAtFive(txs = 40): Promise<Uint8Array> {
  const app = createKvStore({ rules: 'document' })
  await commitBlock(
    app,
    5,
    Array.from({ length: txs * 5 }, (_, i) => `${i}`),
  )
  return (await app.info({} as never)).lastBlockAppHash ?? new Uint8Array(0)
}

test.each(RULES)('default: a state goes from one application to another, rules %s', async (rules) => {
  const source = await filled(rules)
  const { snapshots = [] } = await source.listSnapshots({})
  expect(snapshots.map(({ height }) => height)).toEqual([3, 5])
  const snapshot = await newest(source)
  const target = createKvStore({ rules, snapshots: SMALL })
  expect(await offer(target, snapshot, await hashAtFive())).toBe(OfferSnapshotResult.accept)
  expect(await apply(target, await chunksOf(source, snapshot))).toEqual([1])
  const info = await target.info({} as never)
  expect([info.lastBlockHeight, info.data]).toEqual([5, '{"size":200}'])
  expect(await storedUnder(target, 'key-5-39')).toBe('v'.repeat(10))
  expect(await storedUnder(target, 'key-6-0')).toBeUndefined()
  await commitBlock(target, 6, ['goes=on'])
})

test('default: many chunks, in any order', async () => {
  const source = await filled('document', 10, 100_000)
  const snapshot = await newest(source)
  expect(snapshot.chunks).toBeGreaterThan(2)
  const target = createKvStore({ rules: 'document' })
  await offer(target, snapshot, await hashAtFive(10))
  const chunks = await chunksOf(source, snapshot)
  for (const [index, chunk] of [...chunks.entries()].reverse()) {
    expect((await target.applySnapshotChunk({ index, chunk, sender: '' })).result).toBe(1)
  }
  expect((await target.info({} as never)).lastBlockHeight).toBe(5)
})

test('default: by default there are no snapshots under the reference’s rules, and none of a large state', async () => {
  for (const snapshots of [{}, { interval: 1, maxBytes: 5 }]) {
    const app = createKvStore({ rules: 'v0.38', snapshots })
    for (let height = 1; height <= 100; height++) await commitBlock(app, height, ['key=value'])
    expect((await app.listSnapshots({})).snapshots).toEqual([])
  }
})

test('behavior: a snapshot of a state under older rules keeps these rules', async () => {
  const source = await filled('document')
  const snapshot = await newest(source)
  const target = createKvStore({ snapshots: SMALL })
  expect(await offer(target, snapshot, await hashAtFive())).toBe(OfferSnapshotResult.accept)
  expect(await apply(target, await chunksOf(source, snapshot))).toEqual([1])
  expect(target.rules()).toBe('document')
  await commitBlock(target, 6, ['a=b=c'])
  expect(await storedUnder(target, 'a=b=c')).toBe('a=b=c')
  // Its own snapshots name these rules too.
  expect(await offer(createKvStore({ rules: 'document' }), await newest(target), await hashAtFive())).toBe(
    OfferSnapshotResult.accept,
  )
})

test('error: refuses a snapshot of another format', async () => {
  const source = await filled('document')
  const snapshot = await newest(source)
  const hash = await hashAtFive()
  const app = createKvStore({ rules: 'document' })
  const { reject, rejectFormat } = OfferSnapshotResult
  expect(await offer(app, { ...snapshot, format: 2 }, hash)).toBe(rejectFormat)
  expect(await offer(app, { ...snapshot, chunks: 2 }, hash)).toBe(reject)
  expect(await offer(app, { ...snapshot, chunks: 4_000_000_000 }, hash)).toBe(reject)
  expect(await offer(app, { ...snapshot, hash: new Uint8Array(32) }, hash)).toBe(reject)
  expect(await offer(app, { ...snapshot, metadata: new Uint8Array(9) }, hash)).toBe(reject)
  expect(await offer(createKvStore({ rules: 'v0.38', snapshots: SMALL }), snapshot, hash)).toBe(reject)
  const newer = await newest(await filled('first-equals'))
  expect(await offer(app, newer, hash)).toBe(reject)
  expect(await offer(createKvStore({ rules: 'v0.38' }), snapshot, hash)).toBeUndefined()
  expect((await app.offerSnapshot(RequestOfferSnapshot.create())).result).toBe(reject)
})

test('error: an invalid chunk is requested again and its sender refused; a chunk without an offer aborts', async () => {
  const source = await filled('document')
  const snapshot = await newest(source)
  const app = createKvStore({ rules: 'document' })
  expect(await apply(app, [new Uint8Array(1)])).toEqual([2])
  await offer(app, snapshot, await hashAtFive())
  const wrong = await app.applySnapshotChunk({ index: 0, chunk: new Uint8Array(3), sender: 'mallory' })
  expect(wrong).toEqual({ result: 3, refetchChunks: [0], rejectSenders: ['mallory'] })
  expect(await apply(app, await chunksOf(source, snapshot))).toEqual([1])
})

test('error: a snapshot of another state than the light client proved is rejected and nothing is written', async () => {
  const source = await filled('document')
  const snapshot = await newest(source)
  const app = createKvStore({ rules: 'document' })
  await commitBlock(app, 1, ['mine=yes'])
  await offer(app, snapshot, new Uint8Array(8))
  expect(await apply(app, await chunksOf(source, snapshot))).toEqual([5])
  expect(await storedUnder(app, 'mine')).toBe('yes')
})
