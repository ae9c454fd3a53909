import { type Block, BlockMeta, Commit, ExtendedCommit, Part, type PartSet } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import * as keys from './block-keys.ts'
import { del, type Op, put } from './kv/index.ts'

/** A block with everything that is saved together with it. */
export interface SavedBlock {
  readonly block: Block
  /** The size of the encoded block, in bytes. */
  readonly size: number
  readonly meta: BlockMeta
  /** The commit for the block of the height before. */
  readonly lastCommit: Commit
  readonly seenCommit: Commit
  readonly extendedCommit: ExtendedCommit | undefined
}

/** Returns the writes that save a block. */
export function saveBlockOps({ block, meta, ...commits }: SavedBlock, parts: PartSet): Op[] {
  const { height } = block.header
  const ops = parts.parts.map((part, index) => put(keys.partKey(height, index), Part.encode(part as Part)))
  ops.push(
    put(keys.metaKey(height), BlockMeta.encode(meta)),
    put(keys.hashKey(meta.blockId.hash), utf8ToBytes(String(height))),
    put(keys.commitKey(height - 1), Commit.encode(commits.lastCommit)),
    put(keys.seenCommitKey(height), Commit.encode(commits.seenCommit)),
  )
  if (commits.extendedCommit !== undefined) {
    ops.push(put(keys.extendedCommitKey(height), ExtendedCommit.encode(commits.extendedCommit)))
  }
  return ops
}

/** Returns the writes that remove the block with the greatest height, for a rollback. */
export function deleteBlockOps(height: number, meta: BlockMeta | undefined): Op[] {
  const ops: Op[] = []
  if (meta !== undefined) {
    ops.push(del(keys.hashKey(meta.blockId.hash)))
    const { total } = meta.blockId.partSetHeader
    for (let index = 0; index < total; index++) ops.push(del(keys.partKey(height, index)))
  }
  ops.push(del(keys.commitKey(height)), del(keys.seenCommitKey(height)), del(keys.metaKey(height)))
  return ops
}
