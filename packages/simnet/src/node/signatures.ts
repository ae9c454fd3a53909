import { createVerifiedVotes } from '@org/engine/execution'
import type { SignatureChecker } from '@org/engine/signatures'
import { type SignedItem, verifySignature } from '@org/types/crypto'

/** Signatures that are remembered, over all nodes. */
const CAPACITY = 100_000

/** Verifies on this thread, and each signature once for all nodes of a network: what holds for one holds for all. */
export function createSharedSignatures(): SignatureChecker {
  const known = createVerifiedVotes({ capacity: CAPACITY })

  function check(item: SignedItem): boolean {
    if (known.has(item)) return true
    if (!verifySignature(item.publicKey, item.message, item.signature)) return false
    known.remember(item)
    return true
  }

  return {
    verify: (publicKey, message, signature) => check({ publicKey, message, signature }),
    verifyAll: async (items) => items.map(check),
    findInvalid: async (items) => items.findIndex((item) => !check(item)),
  }
}
