import { makeTemporaryFolder } from '@org/golden'
import {
  ApplySnapshotChunkResult,
  OfferSnapshotResult,
  RequestApplySnapshotChunk,
  RequestFinalizeBlock,
  RequestInfo,
  RequestInitChain,
  RequestLoadSnapshotChunk,
  RequestOfferSnapshot,
  RequestQuery,
  Snapshot,
} from '@org/types/abci'
import { bytesToHex, bytesToUtf8, concatBytes, utf8ToBytes } from '@org/types/bytes'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type App,
  createApp,
  createMemoryStorage,
  createTable,
  encodeTransaction,
  message,
  query,
  type Storage,
  type StorageOp,
} from '../src/index.ts'
import { openLevelStorage } from '../src/level/index.ts'
import { CHUNK_BYTES, chunksOf, createBuilder, NODES_PER_TURN } from '../src/snapshots/format.ts'
import { type Child, type Edit, insert, openVersions, remove } from '../src/tree/index.ts'

const texts = createTable<string>('text')

const createNotes = (options: object = {}): App =>
  createApp({
    signatures: false,
    messages: {
      write: message(z.object({ key: z.string(), text: z.string() }), ({ state }, { key, text }) =>
        texts.set(state, key, text),
      ),
    },
    queries: { text: query(z.string(), ({ state }, key) => texts.get(state, key)) },
    maxGas: 10_000_000,
    ...options,
  })

async function makeBlock(app: App, height: number, pairs: Readonly<Record<string, string>>) {
  const txs = Object.entries(pairs).map(([key, text]) => encodeTransaction({ type: 'write', value: { key, text } }))
  const { appHash, txResults = [] } = await app.finalizeBlock(RequestFinalizeBlock.create({ height, txs }))
  expect(txResults.map(({ code }) => code)).toEqual(txs.map(() => 0))
  await app.commit({})
  return appHash as Uint8Array
}

/** The first byte of the keys of chunks in the storage. */
const CHUNK_PREFIX = 0x73

/** Pairs whose snapshot has several chunks. */
const LARGE = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`key ${i}`, String(i).repeat(50_000)]))

/** An application at height 4 whose snapshot is of height 3. */
async function createSource() {
  const app = createNotes({ snapshots: { every: 3 }, keptVersions: 2 })
  await app.initChain(RequestInitChain.create({ chainId: 'notes', initialHeight: 1 }))
  await makeBlock(app, 1, LARGE)
  await makeBlock(app, 2, { 'key 5': 'changed', later: 'added' })
  const appHash = await makeBlock(app, 3, { last: 'of the snapshot' })
  // Only the last two versions are kept, but no version is removed while a snapshot of it is being taken.
  for (let height = 4; height <= 8; height++) await makeBlock(app, height, { later: `height ${height}` })
  await app.idle()
  const { snapshots = [] } = await app.listSnapshots({})
  const taken = Snapshot.create((snapshots.find(({ height }) => height === 3) ?? {}) as never)
  return { app, appHash, taken }
}

const load = async (app: App, { height, format }: Snapshot, chunk: number): Promise<Uint8Array> => {
  const found = await app.loadSnapshotChunk(RequestLoadSnapshotChunk.create({ height, format, chunk }))
  return (found.chunk ?? new Uint8Array(0)) as Uint8Array
}
const apply = (app: App, index: number, chunk: Uint8Array) =>
  app.applySnapshotChunk(RequestApplySnapshotChunk.create({ index, chunk, sender: 'peer' }))
const offer = (app: App, snapshot: Snapshot, appHash: Uint8Array) =>
  app.offerSnapshot(RequestOfferSnapshot.create({ snapshot, appHash }))

/**
 * Makes a chunk with many small tree nodes: leaves with keys of four bytes, and inner nodes. Each inner node has a leaf
 * as its right child. A leaf and its inner node together take 11 bytes.
 */
function tinyNodes(least: number): Uint8Array {
  const items: number[] = []
  for (let i = 1; items.length < least; i++) {
    items.push(0, 1, 4, (i >> 24) & 255, (i >> 16) & 255, (i >> 8) & 255, i & 255, 1, 1)
    if (i > 1 && items.length < least) items.push(1, 1)
  }
  return Uint8Array.from(items)
}

describe('snapshots', () => {
  test('an empty application restores one, continues the chain, and survives a restart', async () => {
    await using folder = await makeTemporaryFolder('halley-app-')
    const { app: source, appHash, taken } = await createSource()
    expect(taken.chunks).toBeGreaterThan(2)
    const storage = await openLevelStorage(`${folder.path}/state`)
    const app = createNotes({ storage })
    expect(await offer(app, taken, appHash)).toEqual({ result: OfferSnapshotResult.accept })
    for (let index = 0; index < taken.chunks; index++) {
      expect(await apply(app, index, await load(source, taken, index))).toEqual({
        result: ApplySnapshotChunkResult.accept,
      })
    }
    expect(await app.info(RequestInfo.create({}))).toMatchObject({ lastBlockHeight: 3, lastBlockAppHash: appHash })
    await app.close()

    const again = createNotes({ storage: await openLevelStorage(`${folder.path}/state`) })
    const { value } = await again.query(RequestQuery.create({ path: '/text', data: utf8ToBytes('"key 5"') }))
    expect(bytesToUtf8(value as Uint8Array)).toBe('"changed"')
    let hash = new Uint8Array(0)
    for (let height = 4; height <= 8; height++)
      hash = (await makeBlock(again, height, { later: `height ${height}` })) as typeof hash
    expect((await source.info(RequestInfo.create({}))).lastBlockAppHash).toEqual(hash)
    // The application has executed blocks, so no snapshot may replace its state.
    expect(await offer(again, taken, appHash)).toEqual({ result: OfferSnapshotResult.abort })
    await again.close()
  })

  test('two nodes take the same snapshot, and only the last ones are kept', async () => {
    const [first, second] = [await createSource(), await createSource()]
    expect(first.taken).toEqual(second.taken)
    for (let height = 9; height <= 12; height++) {
      await makeBlock(first.app, height, {})
      await first.app.idle()
    }
    const { snapshots = [] } = await first.app.listSnapshots({})
    expect(snapshots.map(({ height }) => height)).toEqual([9, 12])
    expect(await load(first.app, first.taken, 0)).toHaveLength(0)
  })

  test('a damaged chunk is fetched again from another peer', async () => {
    const { app: source, appHash, taken } = await createSource()
    const app = createNotes()
    await offer(app, taken, appHash)
    const chunk = await load(source, taken, 0)
    const retry = { result: ApplySnapshotChunkResult.retry, refetchChunks: [0], rejectSenders: ['peer'] }
    expect(await apply(app, 0, chunk.slice(1))).toEqual(retry)
    expect(await apply(app, 1, chunk)).toEqual({ result: ApplySnapshotChunkResult.retry, refetchChunks: [0] })
    expect(await apply(app, 0, chunk)).toEqual({ result: ApplySnapshotChunkResult.accept })
  })

  test('a snapshot of another state is refused after its last chunk, and the state is empty again', async () => {
    const { app: source, taken } = await createSource()
    const app = createNotes()
    await offer(app, taken, new Uint8Array(32))
    let last: unknown
    for (let index = 0; index < taken.chunks; index++) last = await apply(app, index, await load(source, taken, index))
    expect(last).toEqual({ result: ApplySnapshotChunkResult.rejectSnapshot })
    expect(await app.info(RequestInfo.create({}))).toMatchObject({ lastBlockHeight: 0 })
    await app.initChain(RequestInitChain.create({ chainId: 'notes', initialHeight: 1 }))
    await makeBlock(app, 1, { a: 'b' })
  })

  test.each([
    ['another format', { format: 7 }, OfferSnapshotResult.rejectFormat],
    ['another hash', { hash: new Uint8Array(32) }, OfferSnapshotResult.reject],
    ['other metadata', { metadata: new Uint8Array(5) }, OfferSnapshotResult.reject],
    ['another number of chunks', { chunks: 1 }, OfferSnapshotResult.reject],
  ])('an offer with %s is refused', async (_name, difference, result) => {
    const { appHash, taken } = await createSource()
    expect(await offer(createNotes(), { ...taken, ...difference }, appHash)).toEqual({ result })
  })

  test('the nodes of a chunk come in small groups', () => {
    const groups = [...createBuilder(10).add(tinyNodes(30_000))]
    expect(groups.slice(0, -1).map(({ length }) => length)).toEqual([NODES_PER_TURN, NODES_PER_TURN])
  })

  test('a chunk that continues after its maximum length is refused', () => {
    const value = [(CHUNK_BYTES % 128) | 128, ((CHUNK_BYTES >> 7) % 128) | 128, (CHUNK_BYTES >> 14) | 0]
    const leaf = concatBytes(Uint8Array.from([0, 1, 1, 1, ...value]), new Uint8Array(CHUNK_BYTES))
    expect([...createBuilder(10).add(leaf)].flat()).toHaveLength(1)
    const longer = createBuilder(10).add(concatBytes(leaf, Uint8Array.of(0, 1, 1, 2, 1, 1)))
    expect(() => [...longer]).toThrow(expect.objectContaining({ code: 'APP_BAD_SNAPSHOT' }))
  })

  test('a snapshot of many small nodes is taken in small parts', () => {
    const versions = openVersions(createMemoryStorage(), 2)
    const edit: Edit = { load: versions.load, version: 1, orphans: [] }
    let tree: Child | undefined
    for (let i = 0; i < NODES_PER_TURN; i++) {
      tree = insert(edit, tree, { kind: 'leaf', key: utf8ToBytes(String(i)), value: Uint8Array.of(1), version: 1 })
    }
    expect([...chunksOf(tree, versions.load)]).toEqual(['pause', expect.any(Uint8Array)])
  })

  test('a snapshot that a crash or a failed write interrupts leaves no chunks behind', async () => {
    const keys = new Set<string>()
    const memory = createMemoryStorage()
    let chunksUntilFault = Number.POSITIVE_INFINITY
    const isChunk = (op: StorageOp) => op.key[0] === CHUNK_PREFIX
    const storage: Storage = {
      ...memory,
      write: async (ops) => {
        if (chunksUntilFault <= 0 || (ops.some((op) => op.type === 'put' && isChunk(op)) && --chunksUntilFault <= 0))
          throw new Error('the disk is full')
        for (const op of ops.filter(isChunk)) keys[op.type === 'put' ? 'add' : 'delete'](bytesToHex(op.key))
        await memory.write(ops)
      },
    }
    const faults: string[] = []
    const open = () =>
      createNotes({ storage, snapshots: { every: 2 }, onError: (error: Error) => void faults.push(error.message) })
    const app = open()
    await app.initChain(RequestInitChain.create({ chainId: 'notes', initialHeight: 1 }))
    await makeBlock(app, 1, LARGE)
    chunksUntilFault = 2
    await makeBlock(app, 2, {})
    await app.idle()
    expect(faults).toEqual(['the disk is full', 'the disk is full'])
    expect(keys.size).toBe(1)

    chunksUntilFault = Number.POSITIVE_INFINITY
    // An application without the option `snapshots` takes no snapshots, but removes the chunks that are left.
    const plain = createNotes({ storage })
    await plain.idle()
    expect(keys.size).toBe(0)
    const again = open()
    await makeBlock(again, 3, {})
    await makeBlock(again, 4, {})
    await again.idle()
    const { snapshots = [] } = await again.listSnapshots({})
    expect(snapshots.map(({ height }) => height)).toEqual([4])
    expect(keys.size).toBe(snapshots[0]?.chunks)
  })

  test('a snapshot that needs more memory than its storage allows is refused, with advice for the operator', async () => {
    const { app: source, appHash, taken } = await createSource()
    const errors: unknown[] = []
    const storage = { ...createMemoryStorage(), maxSnapshotBytes: 1_000_000 }
    const app = createNotes({ storage, onError: (error: unknown) => errors.push(error) })
    await offer(app, taken, appHash)
    const rejected = { result: ApplySnapshotChunkResult.rejectSnapshot }
    expect(await apply(app, 0, await load(source, taken, 0))).toEqual(rejected)
    expect(String(errors[0])).toContain('openLevelStorage')
    // The state is empty again, so the chain can begin without a snapshot.
    await app.initChain(RequestInitChain.create({ chainId: 'notes', initialHeight: 1 }))
    await makeBlock(app, 1, { a: 'b' })
  })

  test('no bytes of a peer end the process: each chunk is accepted or refused with a code', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (chunk) => {
        try {
          for (const _nodes of createBuilder(10).add(chunk));
        } catch (error) {
          expect((error as { code?: string }).code).toBe('APP_BAD_SNAPSHOT')
        }
      }),
    )
  })
})

test('a restored tree is the same one: later changes give the same hashes', async () => {
  const changes = fc.dictionary(fc.string({ minLength: 1, maxLength: 2 }), fc.option(fc.string({ minLength: 1 })), {
    maxKeys: 30,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), changes, async (blocks, after) => {
      const versions = openVersions(createMemoryStorage(), 2)
      const commit = async (into: typeof versions, block: Readonly<Record<string, string | null>>) => {
        const { version, tree: last } = into.last()
        const edit: Edit = { load: into.load, version: version + 1, orphans: [] }
        let tree: Child | undefined = last
        for (const [name, value] of Object.entries(block)) {
          const key = utf8ToBytes(name)
          tree =
            value === null
              ? remove(edit, tree, key)
              : insert(edit, tree, { kind: 'leaf', key, value: utf8ToBytes(value), version: edit.version })
        }
        await into.save(tree, edit, 0)
      }
      for (const block of [{ first: 'pair' }, ...blocks]) await commit(versions, block)
      const { tree, hash, version } = versions.last()
      if (tree === undefined) return
      const restored = openVersions(createMemoryStorage(), 2)
      const builder = createBuilder(version)
      for (const chunk of chunksOf(tree, versions.load)) {
        if (chunk === 'pause') continue
        for (const nodes of builder.add(chunk)) await restored.addNodes(nodes)
      }
      expect(builder.root()).toEqual(hash)
      await restored.restore(version, hash)
      for (const each of [versions, restored]) await commit(each, after)
      expect(restored.last().hash).toEqual(versions.last().hash)
    }),
    { numRuns: 50 },
  )
})
