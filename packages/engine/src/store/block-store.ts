import { createLane } from '@org/runtime'
import {
  Block,
  BlockMeta,
  BlockStoreState,
  Commit,
  ExtendedCommit,
  ensureExtensions,
  extendedCommitToCommit,
  makeBlockMeta,
  Part,
  type PartSet,
  type State,
} from '@org/types'
import { concatList, utf8ToBytes } from '@org/types/bytes'
import { LRUCache } from 'lru-cache'
import * as keys from './block-keys.ts'
import { type PruneResult, planPrune } from './block-pruning.ts'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { del, type KeyValueStore, type Op, put } from './kv/index.ts'
import { type BlockStoreOptions, DEFAULT_BLOCK_STORE_OPTIONS } from './options.ts'
import { corrupt, readMessage } from './records.ts'

/** The approximate memory that a decoded block takes in addition to its encoded bytes, in bytes. */
const DECODED_OVERHEAD = 16_384

export interface NewBlock {
  readonly block: Block
  readonly parts: PartSet
}

/** The parts of the state from which pruning calculates for how long evidence stays valid. */
export type PruneState = Pick<State, 'lastBlockHeight' | 'lastBlockTime' | 'consensusParams'>

/**
 * The blocks of the chain, without a gap from `base` to `height`. Reads are synchronous, and return `undefined` for a
 * missing entry. Several callers may receive the same object, so these objects must not be changed. Writes run one
 * after the other, each as one synced batch.
 */
export interface BlockStore {
  /** The height of the lowest stored block; 0 if no block is stored. */
  readonly base: () => number
  /** The height of the highest stored block; 0 if no block is stored. */
  readonly height: () => number
  readonly size: () => number
  readonly loadBaseMeta: () => BlockMeta | undefined
  readonly loadBlock: (height: number) => Block | undefined
  readonly loadBlockByHash: (hash: Uint8Array) => Block | undefined
  readonly loadBlockMeta: (height: number) => BlockMeta | undefined
  readonly loadBlockMetaByHash: (hash: Uint8Array) => BlockMeta | undefined
  readonly loadBlockPart: (height: number, index: number) => Part | undefined
  /** The commit for `height` that block `height + 1` contains. */
  readonly loadBlockCommit: (height: number) => Commit | undefined
  /** The precommits with which this node committed `height`. */
  readonly loadSeenCommit: (height: number) => Commit | undefined
  readonly loadExtendedCommit: (height: number) => ExtendedCommit | undefined
  readonly saveBlock: (block: NewBlock & { readonly seenCommit: Commit }) => Promise<void>
  readonly saveBlockWithExtendedCommit: (block: NewBlock & { readonly extendedCommit: ExtendedCommit }) => Promise<void>
  readonly saveSeenCommit: (height: number, commit: Commit) => Promise<void>
  /**
   * Removes the blocks below `retainHeight`. The headers and commits of these blocks stay as long as evidence may need
   * them.
   */
  readonly pruneBlocks: (retainHeight: number, state: PruneState) => Promise<PruneResult>
  /** Removes the block with the greatest height, for a rollback. */
  readonly deleteLatestBlock: () => Promise<void>
}

/** Creates the store over an open database. The function is long because it contains all operations of the store. */
export function createBlockStore(options: Partial<BlockStoreOptions>, { db }: { db: KeyValueStore }): BlockStore {
  const { blockCacheBytes, metaCacheSize, commitCacheSize } = { ...DEFAULT_BLOCK_STORE_OPTIONS, ...options }
  let { base, height } = loadExtent(db)
  const lane = createLane()

  const blocks = new LRUCache<number, Block>({ maxSize: blockCacheBytes })
  const metas = new LRUCache<number, BlockMeta>({ max: metaCacheSize })
  const commits = new LRUCache<number, Commit>({ max: commitCacheSize })
  const seenCommits = new LRUCache<number, Commit>({ max: commitCacheSize })
  const extendedCommits = new LRUCache<number, ExtendedCommit>({ max: commitCacheSize })

  function cached<T extends object>(cache: LRUCache<number, T>, at: number, load: () => T | undefined): T | undefined {
    const known = cache.get(at)
    if (known !== undefined) return known
    const value = load()
    if (value !== undefined) cache.set(at, value)
    return value
  }

  const loadBlockMeta = (at: number): BlockMeta | undefined =>
    cached(metas, at, () => readMessage(db, keys.metaKey(at), BlockMeta))

  const loadBlockPart = (at: number, index: number): Part | undefined => readMessage(db, keys.partKey(at, index), Part)

  function loadBlock(at: number): Block | undefined {
    const known = blocks.get(at)
    if (known !== undefined) return known
    const meta = loadBlockMeta(at)
    if (meta === undefined) return undefined
    const pieces: Uint8Array[] = []
    for (let index = 0; index < meta.blockId.partSetHeader.total; index++) {
      const part = loadBlockPart(at, index)
      // The meta exists but the part is missing: the block was pruned after the meta was loaded, or only its meta was
      // kept for evidence.
      if (part === undefined) return undefined
      pieces.push(part.bytes)
    }
    const bytes = pieces.length === 1 ? (pieces[0] as Uint8Array) : concatList(pieces)
    let block: Block
    try {
      block = Block.decode(bytes)
    } catch (cause) {
      throw corrupt(keys.partKey(at, 0), `is not a block: ${(cause as Error).message}`, cause)
    }
    blocks.set(at, block, { size: DECODED_OVERHEAD + bytes.length })
    return block
  }

  function heightOf(hash: Uint8Array): number | undefined {
    const key = keys.hashKey(hash)
    const value = db.get(key)
    if (value === undefined || value.length === 0) return undefined
    const found = Number(new TextDecoder().decode(value))
    if (!Number.isSafeInteger(found)) throw corrupt(key, 'is not a height')
    return found
  }

  function byHash<T>(hash: Uint8Array, load: (at: number) => T | undefined): T | undefined {
    const at = heightOf(hash)
    return at === undefined ? undefined : load(at)
  }

  /**
   * Writes `ops` together with the new base and height, as one batch. `base` and `height` change only after the write.
   */
  async function commit(ops: readonly Op[], next: { readonly base: number; readonly height: number }): Promise<void> {
    await db.write([...ops, put(keys.BLOCK_STORE_STATE_KEY, BlockStoreState.encode(next))], { sync: true })
    base = next.base
    height = next.height
  }

  function save({ block, parts }: NewBlock, seenCommit: Commit, extendedCommit?: ExtendedCommit): Promise<void> {
    return lane(async () => {
      const at = block.header.height
      checkNewBlock({ block, parts }, seenCommit, { base, height })
      const meta = makeBlockMeta(block, parts)
      const lastCommit = block.lastCommit ?? Commit.create()
      const ops = parts.parts.map((part, index) => put(keys.partKey(at, index), Part.encode(part as Part)))
      ops.push(
        put(keys.metaKey(at), BlockMeta.encode(meta)),
        put(keys.hashKey(meta.blockId.hash), utf8ToBytes(String(at))),
        put(keys.commitKey(at - 1), Commit.encode(lastCommit)),
        put(keys.seenCommitKey(at), Commit.encode(seenCommit)),
      )
      if (extendedCommit !== undefined) {
        ops.push(put(keys.extendedCommitKey(at), ExtendedCommit.encode(extendedCommit)))
      }
      await commit(ops, { base: base === 0 ? at : base, height: at })
      blocks.set(at, block, { size: DECODED_OVERHEAD + parts.byteSize })
      metas.set(at, meta)
      commits.set(at - 1, lastCommit)
      seenCommits.set(at, seenCommit)
      if (extendedCommit !== undefined) extendedCommits.set(at, extendedCommit)
    })
  }

  function forget(at: number): void {
    for (const cache of [blocks, metas, commits, seenCommits, extendedCommits]) cache.delete(at)
  }

  return {
    base: () => base,
    height: () => height,
    size: () => (height === 0 ? 0 : height - base + 1),
    loadBaseMeta: () => (base === 0 ? undefined : loadBlockMeta(base)),
    loadBlock,
    loadBlockByHash: (hash) => byHash(hash, loadBlock),
    loadBlockMeta,
    loadBlockMetaByHash: (hash) => byHash(hash, loadBlockMeta),
    loadBlockPart,
    loadBlockCommit: (at) => cached(commits, at, () => readMessage(db, keys.commitKey(at), Commit)),
    loadSeenCommit: (at) => cached(seenCommits, at, () => readMessage(db, keys.seenCommitKey(at), Commit)),
    loadExtendedCommit: (at) =>
      cached(extendedCommits, at, () => readMessage(db, keys.extendedCommitKey(at), ExtendedCommit)),
    saveBlock: ({ seenCommit, ...block }) => save(block, seenCommit),
    saveBlockWithExtendedCommit: async ({ extendedCommit, ...block }) => {
      ensureExtensions(extendedCommit, true)
      await save(block, extendedCommitToCommit(extendedCommit), extendedCommit)
    },
    saveSeenCommit: (at, seen) =>
      lane(async () => {
        await db.write([put(keys.seenCommitKey(at), Commit.encode(seen))], { sync: true })
        seenCommits.set(at, seen)
      }),
    pruneBlocks: (retainHeight, state) =>
      lane(async () => {
        const plan = planPrune({ retainHeight, base, height, state }, loadBlockMeta)
        let pruned = 0
        let evidenceRetainHeight = retainHeight
        for (const batch of plan) {
          await commit(batch.ops, { base: batch.base, height })
          for (const at of batch.heights) forget(at)
          pruned += batch.heights.length
          evidenceRetainHeight = batch.evidenceRetainHeight
        }
        return { pruned, evidenceRetainHeight }
      }),
    deleteLatestBlock: () =>
      lane(async () => {
        const at = height
        const meta = loadBlockMeta(at)
        const ops: Op[] = []
        if (meta !== undefined) {
          ops.push(del(keys.hashKey(meta.blockId.hash)))
          const { total } = meta.blockId.partSetHeader
          for (let index = 0; index < total; index++) ops.push(del(keys.partKey(at, index)))
        }
        ops.push(del(keys.commitKey(at)), del(keys.seenCommitKey(at)), del(keys.metaKey(at)))
        await commit(ops, { base, height: at - 1 })
        forget(at)
      }),
  }
}

interface Extent {
  readonly base: number
  readonly height: number
}

function loadExtent(db: KeyValueStore): Extent {
  const extent = readMessage(db, keys.BLOCK_STORE_STATE_KEY, BlockStoreState) ?? { base: 0, height: 0 }
  // This record comes from an old version of the store, which did not write the base. In such a store the lowest block
  // is block 1.
  return extent.height > 0 && extent.base === 0 ? { ...extent, base: 1 } : extent
}

function checkNewBlock({ block, parts }: NewBlock, seenCommit: Commit, { base, height }: Extent): void {
  const at = block.header.height
  const refuse = (problem: string): never => {
    throw new StoreError(STORE_ERRORS.invalid, `cannot save block ${at}: ${problem}`, { data: { height: at } })
  }
  if (base > 0 && at !== height + 1) refuse(`the last saved block has height ${height}`)
  if (!parts.isComplete) refuse('its part set is incomplete')
  if (seenCommit.height !== at) refuse(`the seen commit is for height ${seenCommit.height}`)
}
