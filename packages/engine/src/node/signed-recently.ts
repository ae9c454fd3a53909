import { BlockIdFlag } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { addressOf, type PublicKey } from '@org/types/crypto'
import type { BlockStore } from '../store/index.ts'
import { NODE_ERRORS, NodeError } from './errors.ts'

export interface RecentSignatures {
  /** The next height to decide. */
  readonly height: number
  /**
   * Sets how many past heights are checked for a signature by `publicKey`. As in the reference, the number of checked
   * heights is `lookBack` minus one. With 0 or 1 no height is checked.
   */
  readonly lookBack: number
  readonly publicKey: PublicKey
}

/**
 * Throws `NODE_SIGNED_RECENTLY` if this key signed one of the last blocks, because another node with the same key may
 * be running.
 */
export function checkNotSignedRecently(
  { height, lookBack, publicKey }: RecentSignatures,
  {
    height: storeHeight,
    loadSeenCommit,
    loadBlockCommit,
  }: Pick<BlockStore, 'height' | 'loadSeenCommit' | 'loadBlockCommit'>,
): void {
  const address = addressOf(publicKey)
  for (let back = 1; back < Math.min(lookBack, height); back++) {
    const at = height - back
    const commit = at === storeHeight() ? loadSeenCommit(at) : (loadBlockCommit(at) ?? loadSeenCommit(at))
    const signed = commit?.signatures.some(
      (signature) => signature.blockIdFlag === BlockIdFlag.commit && equalBytes(signature.validatorAddress, address),
    )
    if (signed !== true) continue
    throw new NodeError(
      NODE_ERRORS.signedRecently,
      `found a signature of this node's key in block ${at}, one of the last ${lookBack} blocks (consensus.double_sign_check_height): another node may be using the key. If no other node uses the key, wait for ${lookBack} blocks, or set consensus.double_sign_check_height to 0`,
      { data: { height: at, lookBack } },
    )
  }
}
