import { type BlockBudget, MAX_BLOCK_SIZE_BYTES, maxDataBytesNoEvidence } from '@org/types/block'
import type { State } from '@org/types/state'
import { type PostCheck, type PreCheck, postCheckMaxGas, preCheckMaxBytes } from '../mempool/index.ts'

/** The size and gas that the next block may use. */
export function blockBudget({ consensusParams: { block }, validators }: State): BlockBudget {
  const maxBytes = block.maxBytes === -1n ? BigInt(MAX_BLOCK_SIZE_BYTES) : block.maxBytes
  return { maxBytes, validators: validators.validators.length }
}

/** Refuses a transaction that cannot fit in any block of this state. */
export function txPreCheck(state: State): PreCheck {
  return preCheckMaxBytes(Number(maxDataBytesNoEvidence(blockBudget(state))))
}

export function txPostCheck(state: State): PostCheck {
  return postCheckMaxGas(state.consensusParams.block.maxGas)
}
