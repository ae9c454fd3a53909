import { Block, hashBlock, validateBlockBasic } from '@org/types/block'
import type { Candidate } from './round-state.ts'

/**
 * Decodes the block of a complete part set. Throws a coded error for bytes that are not a block and for wrong hashes,
 * and `SCHEMA_TOO_MANY_ITEMS` for more than `maxItems` transactions, signatures and other items.
 */
export function decodeCandidate(bytes: Uint8Array, maxItems: number): Candidate {
  const block = Block.decode(bytes, { maxItems })
  validateBlockBasic(block)
  return { block, hash: hashBlock(block) }
}
