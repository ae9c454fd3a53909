import { type BlockBudget, MAX_BLOCK_SIZE_BYTES, maxDataBytesNoEvidence, type State } from '@org/types'
import { type PostCheck, type PreCheck, postCheckMaxGas, preCheckMaxBytes } from '../mempool/index.ts'

/**
 * Returns the two values that limit the size of the transactions in the next block: the maximum size of a block in
 * bytes, and the number of validators, whose signatures take room too.
 */
export function blockBudget({ consensusParams: { block }, validators }: State): BlockBudget {
  const maxBytes = block.maxBytes === -1n ? BigInt(MAX_BLOCK_SIZE_BYTES) : block.maxBytes
  return { maxBytes, validators: validators.validators.length }
}

/** Returns a check that refuses a transaction which is too large for any block after this state. */
export function txPreCheck(state: State): PreCheck {
  return preCheckMaxBytes(Number(maxDataBytesNoEvidence(blockBudget(state))))
}

export function txPostCheck(state: State): PostCheck {
  return postCheckMaxGas(state.consensusParams.block.maxGas)
}
