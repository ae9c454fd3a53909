import { Block, BlockMeta, Commit, ExtendedCommit, Part } from '@org/types'
import { concatList } from '@org/types/bytes'
import { LRUCache } from 'lru-cache'
import * as keys from './block-keys.ts'
import type { SavedBlock } from './block-ops.ts'
import { cached } from './cached.ts'
import type { KeyValueStore } from './kv/index.ts'
import type { BlockStoreOptions } from './options.ts'
import { ownCopy } from './own-copy.ts'
import { corrupt, readMessage } from './records.ts'

/** The approximate memory that a decoded block takes in addition to its encoded bytes, in bytes. */
const DECODED_OVERHEAD = 16_384

/**
 * Reads blocks, their parts, their metas and their commits, and keeps the results of the latest reads in memory.
 * Returns `undefined` for a missing entry. Several callers may receive the same object.
 */
export interface BlockReader {
  readonly loadBlock: (height: number) => Block | undefined
  readonly loadMeta: (height: number) => BlockMeta | undefined
  readonly loadPart: (height: number, index: number) => Part | undefined
  /** Returns the commit for `height` that block `height + 1` contains. */
  readonly loadCommit: (height: number) => Commit | undefined
  readonly loadSeenCommit: (height: number) => Commit | undefined
  readonly loadExtendedCommit: (height: number) => ExtendedCommit | undefined
  /** Finds the height of the block with this hash, and returns the result of `load` for this height. */
  readonly byHash: <T>(hash: Uint8Array, load: (height: number) => T | undefined) => T | undefined
  /** Must be called when a block was written. */
  readonly saved: (block: SavedBlock) => void
  readonly savedSeenCommit: (height: number, seenCommit: Commit) => void
  /** Must be called when the block of the height was removed. */
  readonly forget: (height: number) => void
}

export function createBlockReader(options: BlockStoreOptions, db: KeyValueStore): BlockReader {
  const { blockCacheBytes, metaCacheSize, commitCacheSize } = options
  const blocks = new LRUCache<number, Block>({ maxSize: blockCacheBytes })
  const metas = new LRUCache<number, BlockMeta>({ max: metaCacheSize })
  const commits = new LRUCache<number, Commit>({ max: commitCacheSize })
  const seenCommits = new LRUCache<number, Commit>({ max: commitCacheSize })
  const extendedCommits = new LRUCache<number, ExtendedCommit>({ max: commitCacheSize })

  const loadMeta = (height: number): BlockMeta | undefined =>
    cached(metas, height, () => readMessage(db, keys.metaKey(height), BlockMeta))

  const loadPart = (height: number, index: number): Part | undefined =>
    readMessage(db, keys.partKey(height, index), Part)

  function loadBlock(height: number): Block | undefined {
    const known = blocks.get(height)
    if (known !== undefined) return known
    const meta = loadMeta(height)
    if (meta === undefined) return undefined
    const pieces: Uint8Array[] = []
    for (let index = 0; index < meta.blockId.partSetHeader.total; index++) {
      const part = loadPart(height, index)
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
      throw corrupt(keys.partKey(height, 0), `is not a block: ${(cause as Error).message}`, cause)
    }
    blocks.set(height, block, { size: DECODED_OVERHEAD + bytes.length })
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

  return {
    loadBlock,
    loadMeta,
    loadPart,
    loadCommit: (height) => cached(commits, height, () => readMessage(db, keys.commitKey(height), Commit)),
    loadSeenCommit: (height) => cached(seenCommits, height, () => readMessage(db, keys.seenCommitKey(height), Commit)),
    loadExtendedCommit: (height) =>
      cached(extendedCommits, height, () => readMessage(db, keys.extendedCommitKey(height), ExtendedCommit)),
    byHash: (hash, load) => {
      const height = heightOf(hash)
      return height === undefined ? undefined : load(height)
    },
    saved: ({ block, size, meta, lastCommit, seenCommit, extendedCommit }) => {
      const { height } = block.header
      blocks.set(height, ownCopy(Block, block, { part: block.header.validatorsHash, size }), {
        size: DECODED_OVERHEAD + size,
      })
      metas.set(height, ownCopy(BlockMeta, meta, { part: meta.header.validatorsHash }))
      commits.set(height - 1, ownCopy(Commit, lastCommit, { part: lastCommit.blockId.hash }))
      seenCommits.set(height, ownCopy(Commit, seenCommit, { part: seenCommit.blockId.hash }))
      if (extendedCommit !== undefined)
        extendedCommits.set(height, ownCopy(ExtendedCommit, extendedCommit, { part: extendedCommit.blockId.hash }))
    },
    savedSeenCommit: (height, seenCommit) => void seenCommits.set(height, seenCommit),
    forget: (height) => {
      for (const cache of [blocks, metas, commits, seenCommits, extendedCommits]) cache.delete(height)
    },
  }
}
