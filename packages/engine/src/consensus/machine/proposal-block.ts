import { Block, hashBlock, MAX_HASHED_AT_ONCE, validateBlockBasic, validateBlockForm } from '@org/types'
import type { Candidate } from './round-state.ts'

/**
 * Decodes the block of a complete part set. Throws a coded error for bytes that are not a block and for wrong hashes.
 * Throws `SCHEMA_TOO_MANY_ITEMS` for more than `maxItems` transactions, signatures and other items. The transactions of
 * a large block are not hashed here, but when the block is validated, over several turns of the event loop. The machine
 * validates the block before each vote for it, and before its commit.
 */
export function decodeCandidate(bytes: Uint8Array, maxItems: number): Omit<Candidate, 'parts'> {
  const block = Block.decode(bytes, { maxItems })
  if (block.data.txs.length > MAX_HASHED_AT_ONCE) validateBlockForm(block)
  else validateBlockBasic(block)
  return { block, hash: hashBlock(block) }
}
