import { Block, hashBlock, validateBlockBasic } from '@org/types/block'
import type { Candidate } from './round-state.ts'

/** The block that a whole part set holds. Throws a coded error on bytes that are none, or whose hashes do not fit. */
export function decodeCandidate(bytes: Uint8Array): Candidate {
  const block = Block.decode(bytes)
  validateBlockBasic(block)
  return { block, hash: hashBlock(block) }
}
