import { validateBlockIdBasic } from '../block-id/block-id.ts'
import { BLOCK_ERRORS, BlockError } from '../block-id/errors.ts'
import { bytesToHex, equalBytes } from '../bytes/index.ts'
import { hashHeader } from '../header/hash-header.ts'
import type { PartSet } from '../parts/part-set.ts'
import { hashBlock } from './block.ts'
import type { Block, BlockMeta } from './wire.ts'

/** Makes a block's meta, which is a record in the block store in addition to the parts of the block. */
export function makeBlockMeta(block: Block, parts: PartSet): BlockMeta {
  return {
    blockId: { hash: hashBlock(block), partSetHeader: parts.header },
    blockSize: parts.byteSize,
    header: block.header,
    numTxs: block.data.txs.length,
  }
}

/** Throws {@link BlockError} on a block meta that is not well formed. */
export function validateBlockMetaBasic(meta: BlockMeta): void {
  validateBlockIdBasic(meta.blockId)
  const hash = hashHeader(meta.header)
  if (!equalBytes(meta.blockId.hash, hash)) {
    const message = `expected BlockID#Hash and Header#Hash to be the same, got ${bytesToHex(meta.blockId.hash)} != ${bytesToHex(hash)}`
    throw new BlockError(BLOCK_ERRORS.hashMismatch, message)
  }
}
