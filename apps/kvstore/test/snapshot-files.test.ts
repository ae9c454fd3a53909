import { access, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConnections } from '@org/abci'
import {
  OfferSnapshotResult,
  RequestApplySnapshotChunk,
  RequestFinalizeBlock,
  RequestInfo,
  RequestOfferSnapshot,
  RequestQuery,
  type Snapshot,
} from '@org/types/abci'
import { expect, test } from 'vitest'
import { type KvStore, openKvStore, openLevelStorage } from '../src/index.ts'
import { commitBlock, storedUnder, temporaryDirectory, text } from './helpers.ts'
import { startKvStore } from './processes.ts'

const SNAPSHOTS = { interval: 2, keep: 2, chunkBytes: 1000 }

const open = (dir: string): Promise<KvStore> => openKvStore({ dir, snapshots: SNAPSHOTS })
const snapshotsIn = async (dir: string): Promise<string[]> => (await readdir(join(dir, 'kvstore-snapshots'))).sort()
const hashOf = async (app: KvStore): Promise<Uint8Array> =>
  (await app.info({} as never)).lastBlockAppHash ?? new Uint8Array(0)

async function listed(app: KvStore): Promise<readonly Snapshot[]> {
  return (await app.listSnapshots({})).snapshots ?? []
}

/** Commits blocks up to `height`, and waits for the snapshot at each odd height. */
async function fill(app: KvStore, height: number): Promise<void> {
  for (let next = 1; next <= height; next++) {
    await commitBlock(
      app,
      next,
      Array.from({ length: 40 }, (_, i) => `key-${next}-${i}=value`),
    )
    if (next % 2 === 1) await expect.poll(async () => (await listed(app)).at(-1)?.height).toBe(next)
  }
}

async function copyTo(target: KvStore, source: KvStore, chunks = Number.POSITIVE_INFINITY): Promise<void> {
  const snapshot = (await listed(source)).at(-1) as Snapshot
  const appHash = await hashOf(source)
  const { result } = await target.offerSnapshot(RequestOfferSnapshot.create({ snapshot, appHash }))
  expect(result).toBe(OfferSnapshotResult.accept)
  for (let index = 0; index < Math.min(chunks, snapshot.chunks); index++) {
    const request = { height: snapshot.height, format: snapshot.format, chunk: index }
    const { chunk = new Uint8Array(0) } = await source.loadSnapshotChunk(request)
    expect((await target.applySnapshotChunk({ index, chunk, sender: '' })).result).toBe(1)
  }
}

test('default: snapshots survive a restart; at most two are kept; the restored state survives one too', async () => {
  await using directory = await temporaryDirectory()
  const [from, to] = [join(directory.path, 'from'), join(directory.path, 'to')]
  let source = await open(from)
  await fill(source, 5)
  await source.close()
  expect(await snapshotsIn(from)).toEqual(['snapshot-3', 'snapshot-5'])
  source = await open(from)
  expect((await listed(source)).map(({ height }) => height)).toEqual([3, 5])
  let target = await open(to)
  await commitBlock(target, 1, ['mine=yes'])
  await copyTo(target, source)
  for (let restart = 0; restart < 2; restart++) {
    expect((await target.info({} as never)).lastBlockHeight).toBe(5)
    expect(await storedUnder(target, 'key-5-39')).toBe('value')
    expect(await storedUnder(target, 'mine')).toBeUndefined()
    await target.close()
    expect((await readdir(to)).sort()).toEqual(['kvstore.db'])
    target = await open(to)
  }
  await commitBlock(target, 6, ['later=yes'])
  await Promise.all([target.close(), source.close()])
})

test('default: a restore that did not end leaves the former state, and nothing else', async () => {
  await using directory = await temporaryDirectory()
  const [from, to] = [join(directory.path, 'from'), join(directory.path, 'to')]
  const source = await open(from)
  await fill(source, 5)
  const target = await open(to)
  await commitBlock(target, 1, ['mine=yes'])
  await copyTo(target, source, 3)
  expect(await readdir(to)).toContain('kvstore.db.replacement')
  expect(await storedUnder(target, 'mine')).toBe('yes')
  await target.close()
  expect(await readdir(to)).toEqual(['kvstore.db'])
  await source.close()
})

test.each([
  ['before the first step of the replacement', false, 'yes'],
  ['between its two steps', true, 'yes'],
])('behavior: a crash %s leaves the former state', async (_, isHalfway, expected) => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'kvstore.db')
  const former = await openLevelStorage(path)
  await former.write([{ type: 'put', key: text('mine'), value: text(expected) }])
  await former.close()
  const next = await openLevelStorage(`${path}.replacement`)
  await next.write([{ type: 'put', key: text('mine'), value: text('no') }])
  await next.close()
  if (isHalfway) await rename(path, `${path}.former`)
  const storage = await openLevelStorage(path)
  expect(new TextDecoder().decode(storage.get(text('mine')))).toBe(expected)
  await storage.close()
  expect(await readdir(directory.path)).toEqual(['kvstore.db'])
})

test('behavior: a crash after the second step leaves the new state', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'kvstore.db')
  await (await openLevelStorage(path)).close()
  await (await openLevelStorage(`${path}.former`)).close()
  await (await openLevelStorage(path)).close()
  expect(await readdir(directory.path)).toEqual(['kvstore.db'])
})

test('behavior: a chunk that changed on the disk is not served, and its snapshot is removed', async () => {
  await using directory = await temporaryDirectory()
  const app = await open(directory.path)
  await fill(app, 3)
  await writeFile(join(directory.path, 'kvstore-snapshots/snapshot-3/chunk-1'), 'other')
  const load = async (chunk: number) => (await app.loadSnapshotChunk({ height: 3, format: 2, chunk })).chunk?.length
  expect(await load(0)).toBe(1000)
  expect(await load(1)).toBe(0)
  expect((await listed(app)).map(({ height }) => height)).toEqual([1])
  expect(await load(0)).toBe(0)
  await app.close()
  expect(await snapshotsIn(directory.path)).toEqual(['snapshot-1'])
})

test('behavior: a start removes unfinished and unreadable snapshots, and the snapshots of an earlier chain', async () => {
  await using directory = await temporaryDirectory()
  const snapshots = join(directory.path, 'kvstore-snapshots')
  const first = await open(directory.path)
  await fill(first, 5)
  await first.close()
  for (const name of ['making', 'removing-1', 'snapshot-2', 'mine']) await mkdir(join(snapshots, name))
  await writeFile(join(snapshots, 'snapshot-3/manifest'), 'other')
  const second = await open(directory.path)
  expect((await listed(second)).map(({ height }) => height)).toEqual([5])
  await second.close()
  // The test made the folder `mine`. The application keeps it, because `mine` cannot be the name of a snapshot.
  expect(await snapshotsIn(directory.path)).toEqual(['mine', 'snapshot-5'])
  await rename(join(directory.path, 'kvstore.db'), join(directory.path, 'kvstore.old'))
  const reset = await open(directory.path)
  expect(await listed(reset)).toEqual([])
  await reset.close()
  expect(await snapshotsIn(directory.path)).toEqual(['mine'])
})

/** Starts a process of Halley's `kvstore` command, and connects to it. */
async function startProcess(home: string) {
  const kvstore = await startKvStore(['--home', home])
  const connections = createConnections({ kind: 'socket', address: kvstore.address })
  await connections.start(AbortSignal.timeout(20_000))
  return {
    ...connections,
    kill: async () => {
      await connections.stop()
      await kvstore.stop('SIGKILL')
    },
  }
}

test('behavior: a process killed while it makes or restores a snapshot starts again with what it had', async () => {
  await using directory = await temporaryDirectory()
  const home = { from: join(directory.path, 'from'), to: join(directory.path, 'to') }
  const making = join(home.from, 'data/kvstore-snapshots/making')
  let source = await startProcess(home.from)
  // The six blocks make a state of 60 MB. Its snapshot has chunks of 2 MiB.
  for (let height = 1; height <= 6; height++) {
    const txs = Array.from({ length: 10_000 }, (_, i) => text(`${height}-${i}=${'v'.repeat(1000)}`))
    await source.consensus.finalizeBlock(RequestFinalizeBlock.create({ height, txs }))
    await source.consensus.commit()
  }
  expect((await source.snapshot.listSnapshots()).snapshots).toEqual([])
  await access(join(making, 'chunk-0'))
  await source.kill()
  await access(join(making, 'chunk-0'))

  source = await startProcess(home.from)
  const list = async () => (await source.snapshot.listSnapshots()).snapshots
  await expect.poll(async () => (await list()).length, { timeout: 30_000 }).toBe(1)
  const snapshot = (await list())[0] as Snapshot
  expect([snapshot.height, snapshot.chunks > 20]).toEqual([6, true])
  const { lastBlockAppHash: appHash } = await source.query.info(RequestInfo.create())

  let target = await startProcess(home.to)
  await target.consensus.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs: [text('mine=yes')] }))
  await target.consensus.commit()
  async function restore(chunks: number): Promise<void> {
    await target.snapshot.offerSnapshot(RequestOfferSnapshot.create({ snapshot, appHash }))
    for (let index = 0; index < chunks; index++) {
      const { height, format } = snapshot
      const { chunk } = await source.snapshot.loadSnapshotChunk({ height, format, chunk: index })
      await target.snapshot.applySnapshotChunk(RequestApplySnapshotChunk.create({ index, chunk }))
    }
  }
  await restore(10)
  await target.kill()
  target = await startProcess(home.to)
  expect(await readdir(join(home.to, 'data'))).toEqual(['kvstore.db'])
  const value = async (key: string) =>
    new TextDecoder().decode((await target.query.query(RequestQuery.create({ data: text(key) }))).value)
  expect(await value('mine')).toBe('yes')
  await restore(snapshot.chunks)
  // The restored state is durable when the last chunk is accepted, so the process may be killed at once.
  await target.kill()
  target = await startProcess(home.to)
  expect([await value('6-9999'), await value('mine')]).toEqual(['v'.repeat(1000), ''])
  await Promise.all([source.kill(), target.kill()])
})

test('default: a state in memory has snapshots in its folder, larger than memory keeps; the next start removes them', async () => {
  await using directory = await temporaryDirectory()
  const [from, to] = [join(directory.path, 'from'), join(directory.path, 'to')]
  const openInMemory = (dir: string): Promise<KvStore> =>
    openKvStore({ dir, state: 'memory', snapshots: { ...SNAPSHOTS, maxBytes: 1000 } })
  const source = await openInMemory(from)
  await fill(source, 3)
  expect([await snapshotsIn(from), await readdir(from)]).toEqual([['snapshot-1', 'snapshot-3'], ['kvstore-snapshots']])
  const target = await openInMemory(to)
  await copyTo(target, source)
  expect(await hashOf(target)).toEqual(await hashOf(source))
  await Promise.all([source.close(), target.close()])
  const again = await openInMemory(from)
  expect(await listed(again)).toEqual([])
  expect(await snapshotsIn(from)).toEqual([])
  await again.close()
})
