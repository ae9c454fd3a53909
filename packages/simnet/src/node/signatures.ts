import type { SignatureChecker } from '@org/engine/signatures'
import { type SignedItem, verifySignature } from '@org/types/crypto'

/** Signatures that are remembered, over all nodes. */
const CAPACITY = 100_000

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

/** Verifies on this thread, and each signature once for all nodes of a network: what holds for one holds for all. */
export function createSharedSignatures(): SignatureChecker {
  const known = new Map<string, string>()

  function check({ publicKey, message, signature }: SignedItem): boolean {
    const key = textOf(signature)
    const content = textOf(publicKey.bytes) + textOf(message)
    if (known.get(key) === content) return true
    if (!verifySignature(publicKey, message, signature)) return false
    if (known.size >= CAPACITY) known.clear()
    known.set(key, content)
    return true
  }

  return {
    verify: (publicKey, message, signature) => check({ publicKey, message, signature }),
    verifyAll: async (items) => items.map(check),
    findInvalid: async (items) => items.findIndex((item) => !check(item)),
  }
}
