import type { EvidenceParams, State } from '@org/types'
import type { Time } from '@org/types/time'

/** The parts of the state after the last block that decide whether evidence is too old. */
export type ExpiryState = Pick<State, 'lastBlockHeight' | 'lastBlockTime' | 'consensusParams'>

/**
 * Returns true if evidence is too old: it is older than the maximum number of blocks, and also older than the maximum
 * duration.
 */
export function isEvidenceExpired(
  state: ExpiryState,
  { height, time }: { readonly height: number; readonly time: Time },
): boolean {
  const { maxAgeDuration, maxAgeNumBlocks }: EvidenceParams = state.consensusParams.evidence
  const blocks = BigInt(state.lastBlockHeight - height)
  return state.lastBlockTime - time > maxAgeDuration && blocks > maxAgeNumBlocks
}
