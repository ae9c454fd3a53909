import {
  findInvalidSignature,
  type PublicKey,
  type SignedItem,
  verifyAllQuickly,
  verifyExactly,
  verifyQuickly,
  verifySignature,
} from '@org/types/crypto'

/**
 * Verifies signatures. A node uses {@link POOLED_SIGNATURES}. A simulation uses its own checker, which has no threads.
 */
export interface SignatureChecker {
  readonly verify: (publicKey: PublicKey, message: Uint8Array, signature: Uint8Array) => boolean
  /**
   * Runs the fast check. Returns `undefined` if only the exact check can decide. The exact check costs several times as
   * much.
   */
  readonly verifyQuickly: (item: SignedItem) => boolean | undefined
  readonly verifyAllQuickly: (items: readonly SignedItem[]) => Promise<readonly (boolean | undefined)[]>
  /** Verifies a signature for which the fast check returned `undefined`. */
  readonly verifyExactly: (item: SignedItem) => boolean
  /** Returns the index of the first invalid signature; -1 if all are valid. */
  readonly findInvalid: (items: readonly SignedItem[]) => Promise<number>
}

/**
 * Verifies signatures on the calling thread. The functions for many signatures pause regularly, so that the event loop
 * can run other work. If libsodium is missing, these functions use the thread pool.
 */
export const POOLED_SIGNATURES: SignatureChecker = {
  verify: verifySignature,
  verifyQuickly,
  verifyAllQuickly,
  verifyExactly,
  findInvalid: findInvalidSignature,
}
