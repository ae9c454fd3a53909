import { nextTurn } from '@org/runtime'
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
const PIECES = { ...SMALL, chunkBytes: 1000 }

async function filled(rules: RulesName, { txs = 40, snapshots = SMALL } = {}): Promise<KvStore> {
  const app = createKvStore({ rules, snapshots })
  for (let height = 1; height <= 5; height++) {
    const block = Array.from({ length: txs }, (_, i) => `key-${height}-${i}=${'v'.repeat(10)}`)
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

/** Returns the application hash of the state after five blocks of `txs` transactions each. */
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

/** Resolves with an application whose snapshots have many chunks, and with its newest snapshot. */
async function inPieces(): Promise<{ readonly source: KvStore; readonly snapshot: Snapshot }> {
  const source = await filled('document', { snapshots: PIECES })
  // The application makes a snapshot of several chunks while it executes blocks, so the first list may not have the
  // snapshot.
  await expect.poll(async () => (await newest(source)).height).toBe(5)
  return { source, snapshot: await newest(source) }
}

test('default: a state of many chunks, with pairs that begin in one chunk and end in another', async () => {
  const { source, snapshot } = await inPieces()
  expect(snapshot.chunks).toBeGreaterThan(5)
  const target = createKvStore({ rules: 'document' })
  await offer(target, snapshot, await hashAtFive())
  const results = await apply(target, await chunksOf(source, snapshot))
  expect(results).toEqual(results.map(() => 1))
  expect((await target.info({} as never)).lastBlockHeight).toBe(5)
  for (let i = 0; i < 40; i++) expect(await storedUnder(target, `key-3-${i}`)).toBe('v'.repeat(10))
})

test('default: a chunk ahead of its turn is requested again after the missing one; a repeated chunk changes nothing', async () => {
  const { source, snapshot } = await inPieces()
  const target = createKvStore({ rules: 'document' })
  await offer(target, snapshot, await hashAtFive())
  const chunks = await chunksOf(source, snapshot)
  const apply = async (index: number) =>
    await target.applySnapshotChunk({ index, chunk: chunks[index] ?? new Uint8Array(0), sender: 'peer' })
  expect(await apply(2)).toEqual({ result: 3, refetchChunks: [0] })
  expect(await apply(0)).toEqual({ result: 1 })
  expect(await apply(0)).toEqual({ result: 1 })
  for (let index = 1; index < chunks.length; index++) expect(await apply(index)).toEqual({ result: 1 })
  expect((await target.info({} as never)).lastBlockHeight).toBe(5)
})

test('default: a snapshot has the state of one height, although blocks are committed while it is made', async () => {
  const app = createKvStore({ rules: 'document', snapshots: { interval: 1000, keep: 2, chunkBytes: 64 * 1024 } })
  const pairs = Array.from({ length: 30_000 }, (_, i) => `key-${i}=first`)
  await commitBlock(app, 1, pairs)
  expect((await app.listSnapshots({})).snapshots).toEqual([])
  // The loop commits blocks until the snapshot of block 1 is complete.
  let height = 1
  while (((await app.listSnapshots({})).snapshots ?? []).length === 0) {
    height++
    // The test gives the event loop a turn, as a node does before each block. The snapshot is made in these turns.
    await nextTurn()
    const block = Array.from({ length: 20 }, (_, i) => `key-${height * 31 + i * 977}=second`)
    await commitBlock(app, height, [...block, `new-${height}=second`])
  }
  expect(height).toBeGreaterThan(3)
  const snapshot = await newest(app)
  expect(snapshot.height).toBe(1)
  const target = createKvStore({ rules: 'document' })
  const atOne = createKvStore({ rules: 'document' })
  await commitBlock(atOne, 1, pairs)
  const { lastBlockAppHash = new Uint8Array(0) } = await atOne.info({} as never)
  expect(await offer(target, snapshot, lastBlockAppHash)).toBe(OfferSnapshotResult.accept)
  const results = await apply(target, await chunksOf(app, snapshot))
  expect(results.at(-1)).toBe(1)
  for (let i = 0; i < 30_000; i++) {
    if ((await storedUnder(target, `key-${i}`)) !== 'first') throw new Error(`key-${i} has a later value`)
  }
  expect(await storedUnder(target, 'new-2')).toBeUndefined()
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
  // The restored application still uses the rules `document`, and its new snapshot contains the name `document`. So
  // another application with the rules `document` accepts this snapshot.
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
  expect(await offer(app, { ...snapshot, format: 1 }, hash)).toBe(rejectFormat)
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
