import {
  findInvalidSignature,
  type PublicKey,
  type SignedItem,
  verifySignature,
  verifySignatures,
} from '@org/types/crypto'

/** Who verifies signatures. A node uses the thread pool for many at once; a simulation has no threads. */
export interface SignatureChecker {
  readonly verify: (publicKey: PublicKey, message: Uint8Array, signature: Uint8Array) => boolean
  /** Which of them are good. */
  readonly verifyAll: (items: readonly SignedItem[]) => Promise<readonly boolean[]>
  /** The index of the first that is not good, or -1. */
  readonly findInvalid: (items: readonly SignedItem[]) => Promise<number>
}

export const POOLED_SIGNATURES: SignatureChecker = {
  verify: verifySignature,
  verifyAll: verifySignatures,
  findInvalid: findInvalidSignature,
}
