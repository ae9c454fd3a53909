import { BLOCK_ERRORS, Block, Commit, ExtendedCommit, makePartSet, type Part, PartSet, type State } from '@org/types'
import { concatBytes } from '@org/types/bytes'
import { Writer } from '@org/types/schema'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type BlockStore,
  createBlockStore,
  createMemoryStore,
  createStateStore,
  type KeyValueStore,
  put,
  STORE_ERRORS,
} from '../../src/store/index.ts'
import { collect } from './compliance.ts'
import { dumpOf, type Pairs, printable, storeOf, text } from './dumps.ts'

const PATH = 'kvstore-single/db-dump.jsonl'

interface Saved {
  readonly block: Block
  readonly parts: PartSet
  readonly seenCommit: Commit
}

function savedBlock(store: BlockStore, height: number): Saved {
  const block = store.loadBlock(height) as Block
  const { total } = (store.loadBlockMeta(height) as NonNullable<ReturnType<BlockStore['loadBlockMeta']>>).blockId
    .partSetHeader
  const bytes = Array.from({ length: total }, (_, i) => (store.loadBlockPart(height, i) as Part).bytes)
  return { block, parts: makePartSet(concatBytes(...bytes)), seenCommit: store.loadSeenCommit(height) as Commit }
}

function unknownField(size: number): Uint8Array {
  const writer = new Writer()
  writer.uint32((100 << 3) | 2)
  writer.uint32(size)
  return concatBytes(writer.finish(), new Uint8Array(size))
}

const keysOf = async (db: KeyValueStore): Promise<string[]> => (await collect(db.keys())).map(printable)

describe('block store', () => {
  let pairs: Pairs
  let state: State
  beforeAll(async () => {
    pairs = dumpOf(PATH, 'blockstore')
    state = createStateStore({}, { db: await storeOf(dumpOf(PATH, 'state')) }).load() as State
  })

  const open = async (): Promise<{ db: KeyValueStore; store: BlockStore }> => {
    const db = await storeOf(pairs)
    return { db, store: createBlockStore({}, { db }) }
  }

  it('default: an empty store has no height and no block', () => {
    const store = createBlockStore({}, { db: createMemoryStore() })
    expect([store.base(), store.height(), store.size()]).toEqual([0, 0, 0])
    expect(store.loadBaseMeta()).toBeUndefined()
    expect(store.loadBlock(1)).toBeUndefined()
    expect(store.loadBlockByHash(new Uint8Array(32))).toBeUndefined()
  })

  it('behavior: an old store without a base begins at 1', async () => {
    const db = await storeOf([[text('blockStore'), new Uint8Array([0x10, 5])]])
    expect(createBlockStore({}, { db }).base()).toBe(1)
  })

  it('behavior: the extent grows when the block is written, not before', async () => {
    const { store: from } = await open()
    const to = createBlockStore({}, { db: createMemoryStore() })
    const saving = to.saveBlock(savedBlock(from, 1))
    expect(to.height()).toBe(0)
    await saving
    expect([to.base(), to.height(), to.size()]).toEqual([1, 1, 1])
  })

  it('behavior: cached headers and commits do not keep the bytes of a large block in memory', async () => {
    const { store: from } = await open()
    const { block, seenCommit } = savedBlock(from, 2)
    const bytes = Block.encode({ ...block, data: { txs: [new Uint8Array(1_000_000)] } })
    const large = Block.decode(bytes)
    const commit = Commit.decode(concatBytes(Commit.encode(seenCommit), unknownField(1_000_000)))
    const to = createBlockStore({}, { db: createMemoryStore() })
    await to.saveBlock({ block: large, parts: makePartSet(bytes), seenCommit: commit })
    expect(large.header.validatorsHash.buffer.byteLength).toBeGreaterThan(1_000_000)
    const kept = [
      to.loadBlockMeta(2)?.header.validatorsHash,
      to.loadBlockCommit(1)?.blockId.hash,
      to.loadBlockCommit(1)?.signatures[0]?.signature,
      to.loadSeenCommit(2)?.signatures[0]?.signature,
    ]
    for (const part of kept) expect(part?.buffer.byteLength).toBeLessThan(10_000)
    expect(to.loadSeenCommit(2)).toEqual(seenCommit)
    expect(to.loadBlockCommit(1)).toEqual(large.lastCommit)
  })

  it('behavior: a cached block does not keep the worthless bytes of its message in memory', async () => {
    const { store: from } = await open()
    const { block, parts, seenCommit } = savedBlock(from, 2)
    const padded = Block.decode(concatBytes(Block.encode(block), unknownField(1_000_000)))
    const to = createBlockStore({}, { db: createMemoryStore() })
    await to.saveBlock({ block: padded, parts, seenCommit })
    expect(to.loadBlock(2)?.header.validatorsHash.buffer.byteLength).toBeLessThan(10_000)
    expect(to.loadBlock(2)).toEqual(block)
  })

  it('behavior: a chain may begin at any height, and saves that wait for each other stay in order', async () => {
    const { store: from } = await open()
    const to = createBlockStore({}, { db: createMemoryStore() })
    await Promise.all([10, 11, 12].map((height) => to.saveBlock(savedBlock(from, height))))
    expect([to.base(), to.height(), to.size()]).toEqual([10, 12, 3])
    expect(to.loadBaseMeta()?.header.height).toBe(10)
    expect(to.loadBlockCommit(11)).toEqual(from.loadBlockCommit(11))
  })

  it('error: refuses a gap, an incomplete part set, and a commit of another height', async () => {
    const { store: from } = await open()
    const to = createBlockStore({}, { db: createMemoryStore() })
    await to.saveBlock(savedBlock(from, 1))
    const invalid = expect.objectContaining({ code: STORE_ERRORS.invalid })
    await expect(to.saveBlock(savedBlock(from, 3))).rejects.toEqual(invalid)
    const second = savedBlock(from, 2)
    await expect(to.saveBlock({ ...second, parts: new PartSet(second.parts.header) })).rejects.toEqual(invalid)
    await expect(to.saveBlock({ ...second, seenCommit: savedBlock(from, 3).seenCommit })).rejects.toEqual(invalid)
    expect(to.height()).toBe(1)
    await to.saveBlock(second)
    expect(to.height()).toBe(2)
  })

  it('error: refuses an extended commit without extensions', async () => {
    const { store: from } = await open()
    const { block, parts, seenCommit } = savedBlock(from, 1)
    const extendedCommit = ExtendedCommit.create({
      ...seenCommit,
      extendedSignatures: seenCommit.signatures.map((entry) => ({
        ...entry,
        extension: new Uint8Array(0),
        extensionSignature: new Uint8Array(0),
      })),
    })
    const to = createBlockStore({}, { db: createMemoryStore() })
    await expect(to.saveBlockWithExtendedCommit({ block, parts, extendedCommit })).rejects.toMatchObject({
      code: BLOCK_ERRORS.commit,
    })
  })

  it('error: a value that cannot be decoded names its key', async () => {
    const { db, store } = await open()
    await db.write([put(text('H:5'), text('garbage')), put(text('P:6:0'), text('garbage'))])
    expect(() => store.loadBlockMeta(5)).toThrow(
      expect.objectContaining({ code: STORE_ERRORS.corrupt, data: { key: 'H:5' } }),
    )
    expect(() => store.loadBlock(6)).toThrow(expect.objectContaining({ code: STORE_ERRORS.corrupt }))
  })

  const params = (maxAgeNumBlocks: bigint): State => ({
    ...state,
    consensusParams: {
      ...state.consensusParams,
      evidence: { ...state.consensusParams.evidence, maxAgeNumBlocks, maxAgeDuration: 0n },
    },
  })

  it('default: pruning removes everything of the blocks when evidence is too old', async () => {
    const { db, store } = await open()
    const result = await store.pruneBlocks(50, params(0n))
    expect(result).toEqual({ pruned: 49, evidenceRetainHeight: 50 })
    expect([store.base(), store.size()]).toEqual([50, store.height() - 49])
    const left = (await keysOf(db)).filter((key) => Number(/^(?!BH)[A-Z]+:(\d+)/.exec(key)?.[1] ?? 50) < 50)
    // `C:0` is the commit before the first block. It belongs to no block, so pruning does not remove it. The reference
    // does not remove it either.
    expect(left).toEqual(['C:0'])
    expect((await keysOf(db)).filter((key) => key.startsWith('BH:'))).toHaveLength(store.size())
    expect(store.loadBlock(49)).toBeUndefined()
    expect(createBlockStore({}, { db }).base()).toBe(50)
  })

  it('behavior: headers and commits stay while evidence may need them', async () => {
    const { store } = await open()
    const blocks = store.height() - 30
    const result = await store.pruneBlocks(50, params(BigInt(blocks)))
    expect(result).toEqual({ pruned: 49, evidenceRetainHeight: 30 })
    expect([store.loadBlockMeta(29), store.loadBlockCommit(29)]).toEqual([undefined, undefined])
    expect(store.loadBlockMeta(30)?.header.height).toBe(30)
    expect(store.loadBlockCommit(30)?.height).toBe(30)
    expect([store.loadBlock(30), store.loadSeenCommit(30)]).toEqual([undefined, undefined])
  })

  it('error: refuses to prune outside of the stored heights', async () => {
    const { store } = await open()
    await expect(store.pruneBlocks(0, state)).rejects.toThrow('height must be greater than 0')
    await expect(store.pruneBlocks(1000, state)).rejects.toThrow(
      `cannot prune beyond the latest height ${store.height()}`,
    )
    await store.pruneBlocks(20, state)
    await expect(store.pruneBlocks(10, state)).rejects.toThrow(
      'cannot prune to height 10, it is lower than base height 20',
    )
  })

  it('default: the last block can be removed and saved again', async () => {
    const { db, store } = await open()
    const before = await collect(db.iterate())
    const height = store.height()
    const last = savedBlock(store, height)
    await store.deleteLatestBlock()
    expect(store.height()).toBe(height - 1)
    expect(store.loadBlock(height)).toBeUndefined()
    expect((await keysOf(db)).filter((key) => !key.startsWith('BH') && key.includes(`:${height}`))).toEqual([])
    await store.saveBlock(last)
    expect(await collect(db.iterate())).toEqual(before)
  })
})
