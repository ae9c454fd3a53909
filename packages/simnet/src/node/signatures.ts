import type { SignatureChecker } from '@org/engine'
import { createVerifiedVotes } from '@org/engine/execution'
import { loadSodium } from '@org/runtime/sodium'
import {
  MAX_SIGNATURE_SIZE,
  type PrivateKey,
  publicKeyOf,
  type SignedItem,
  sign,
  verifyExactly,
  verifyQuickly,
  verifySignature,
} from '@org/types/crypto'

/** The maximum number of signatures that are kept for all nodes together. */
const CAPACITY = 100_000

/** The signatures of all nodes of a network. */
export interface SharedSignatures extends SignatureChecker {
  /** Signs. A signature made by this function is valid for this key and these bytes, and is not verified again. */
  readonly sign: typeof sign
}

/**
 * Verifies on this thread. A signature that was found valid for one node is not verified again for the other nodes,
 * because the result is the same for all.
 */
export function createSharedSignatures(): SharedSignatures {
  const known = createVerifiedVotes({ capacity: CAPACITY })
  // Libsodium, if it is installed, makes the same signatures in half of the time.
  const sodium = loadSodium()

  function signNow(key: PrivateKey, message: Uint8Array): Uint8Array {
    if (sodium === undefined || key.type !== 'ed25519') return sign(key, message)
    const signature = new Uint8Array(MAX_SIGNATURE_SIZE)
    sodium.crypto_sign_detached(signature, message, key.bytes)
    return signature
  }

  function check(item: SignedItem): boolean {
    if (known.has(item)) return true
    if (!verifySignature(item.publicKey, item.message, item.signature)) return false
    known.remember(item)
    return true
  }

  function checkQuickly(item: SignedItem): boolean | undefined {
    if (known.has(item)) return true
    const answer = verifyQuickly(item)
    if (answer === true) known.remember(item)
    return answer
  }

  function checkExactly(item: SignedItem): boolean {
    if (!verifyExactly(item)) return false
    known.remember(item)
    return true
  }

  return {
    sign: (key: PrivateKey, message: Uint8Array) => {
      const signature = signNow(key, message)
      known.remember({ publicKey: publicKeyOf(key), message, signature })
      return signature
    },
    verify: (publicKey, message, signature) => check({ publicKey, message, signature }),
    verifyQuickly: checkQuickly,
    verifyAllQuickly: async (items) => items.map(checkQuickly),
    verifyExactly: checkExactly,
    findInvalid: async (items) => items.findIndex((item) => !check(item)),
  }
}

/** Returns a checker for one node, which reports each verification. */
export function watchedSignatures(
  { verify, verifyQuickly: quickly, verifyAllQuickly, verifyExactly: exactly, findInvalid }: SignatureChecker,
  onVerified: (signature: Uint8Array, holds: boolean) => void,
): SignatureChecker {
  function report({ signature }: SignedItem, answer: boolean | undefined): void {
    if (answer !== undefined) onVerified(signature, answer)
  }

  return {
    verify: (publicKey, message, signature) => {
      const holds = verify(publicKey, message, signature)
      onVerified(signature, holds)
      return holds
    },
    verifyQuickly: (item) => {
      const answer = quickly(item)
      report(item, answer)
      return answer
    },
    verifyAllQuickly: async (items) => {
      const answers = await verifyAllQuickly(items)
      for (const [i, item] of items.entries()) report(item, answers[i])
      return answers
    },
    verifyExactly: (item) => {
      const holds = exactly(item)
      onVerified(item.signature, holds)
      return holds
    },
    findInvalid: async (items) => {
      const at = await findInvalid(items)
      for (const { signature } of at < 0 ? items : items.slice(0, at)) onVerified(signature, true)
      const bad = items[at]
      if (bad !== undefined) onVerified(bad.signature, false)
      return at
    },
  }
}
