import type { PrivateKey, PublicKey } from '@org/types/crypto'

/** A validator of a copied chain, and the key of this process that replaces its key. */
export interface Replacement {
  readonly original: PublicKey
  readonly key: PrivateKey
}
