import { createLane } from '@org/runtime'
import {
  type Block,
  type BlockMeta,
  BlockStoreState,
  Commit,
  type ExtendedCommit,
  ensureExtensions,
  extendedCommitToCommit,
  makeBlockMeta,
  type Part,
  type PartSet,
  type State,
} from '@org/types'
import * as keys from './block-keys.ts'
import { deleteBlockOps, saveBlockOps } from './block-ops.ts'
import { type PruneResult, planPrune } from './block-pruning.ts'
import { createBlockReader } from './block-reader.ts'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { type KeyValueStore, type Op, put } from './kv/index.ts'
import { createOldHeaders, type OldHeaders } from './old-headers.ts'
import { type BlockStoreOptions, DEFAULT_BLOCK_STORE_OPTIONS } from './options.ts'
import { readMessage } from './records.ts'

/** A block to store, with its parts. */
export interface NewBlock {
  readonly block: Block
  readonly parts: PartSet
}

/** The parts of the state by which pruning decides whether evidence has expired. */
export type PruneState = Pick<State, 'lastBlockHeight' | 'lastBlockTime' | 'consensusParams'>

/**
 * The blocks of the chain, without a gap from `base` to `height`. Reads are synchronous, and return `undefined` for a
 * missing entry. Several callers may receive the same object, so these objects must not be changed. Writes run one
 * after the other, each as one synced batch.
 */
export interface BlockStore extends OldHeaders {
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
  /**
   * Removes the block with the greatest height, for a rollback. If this block is the only one, the store is empty
   * afterwards.
   */
  readonly deleteLatestBlock: () => Promise<void>
}

/** Creates the store over an open database. */
export function createBlockStore(options: Partial<BlockStoreOptions>, { db }: { db: KeyValueStore }): BlockStore {
  let { base, height } = loadExtent(db)
  const lane = createLane()
  const reader = createBlockReader({ ...DEFAULT_BLOCK_STORE_OPTIONS, ...options }, db)

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
      const saved = { block, size: parts.byteSize, meta, lastCommit, seenCommit, extendedCommit }
      await commit(saveBlockOps(saved, parts), { base: base === 0 ? at : base, height: at })
      reader.saved(saved)
    })
  }

  return {
    ...createOldHeaders({ db, lane, base: () => base, forget: reader.forget }),
    base: () => base,
    height: () => height,
    size: () => (height === 0 ? 0 : height - base + 1),
    loadBaseMeta: () => (base === 0 ? undefined : reader.loadMeta(base)),
    loadBlock: reader.loadBlock,
    loadBlockByHash: (hash) => reader.byHash(hash, reader.loadBlock),
    loadBlockMeta: reader.loadMeta,
    loadBlockMetaByHash: (hash) => reader.byHash(hash, reader.loadMeta),
    loadBlockPart: reader.loadPart,
    loadBlockCommit: reader.loadCommit,
    loadSeenCommit: reader.loadSeenCommit,
    loadExtendedCommit: reader.loadExtendedCommit,
    saveBlock: ({ seenCommit, ...block }) => save(block, seenCommit),
    saveBlockWithExtendedCommit: async ({ extendedCommit, ...block }) => {
      ensureExtensions(extendedCommit, true)
      await save(block, extendedCommitToCommit(extendedCommit), extendedCommit)
    },
    saveSeenCommit: (at, seen) =>
      lane(async () => {
        await db.write([put(keys.seenCommitKey(at), Commit.encode(seen))], { sync: true })
        reader.savedSeenCommit(at, seen)
      }),
    pruneBlocks: (retainHeight, state) =>
      lane(async () => {
        const plan = planPrune({ retainHeight, base, height, state }, reader.loadMeta)
        let pruned = 0
        let evidenceRetainHeight = retainHeight
        for (const batch of plan) {
          await commit(batch.ops, { base: batch.base, height })
          for (const at of batch.heights) reader.forget(at)
          pruned += batch.heights.length
          evidenceRetainHeight = batch.evidenceRetainHeight
        }
        return { pruned, evidenceRetainHeight }
      }),
    deleteLatestBlock: () =>
      lane(async () => {
        const at = height
        // If the removed block is the only block of the store, base and height become 0, as in a new store. If the base
        // did not change, it would be above the height, and peers refuse a status with such values.
        const next = at === base ? { base: 0, height: 0 } : { base, height: at - 1 }
        await commit(deleteBlockOps(at, reader.loadMeta(at)), next)
        reader.forget(at)
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
