import { Block, hashBlock, validateBlockBasic } from '@org/types/block'
import type { Candidate } from './round-state.ts'

/**
 * Decodes the block that a whole part set holds. Throws a coded error on bytes that are no block, on hashes that do not fit, and
 * `SCHEMA_TOO_MANY_ITEMS` on more than `maxItems` transactions, signatures and other items.
 */
export function decodeCandidate(bytes: Uint8Array, maxItems: number): Candidate {
  const block = Block.decode(bytes, { maxItems })
  validateBlockBasic(block)
  return { block, hash: hashBlock(block) }
}
