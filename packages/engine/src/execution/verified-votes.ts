import { bytesToHex, concatBytes } from '@org/types/bytes'
import { type SignedItem, sha256 } from '@org/types/crypto'

/**
 * Remembers signatures that were found good, so that a commit made of votes that came in one by one is not verified
 * again. Key, message and signature count together.
 */
export interface VerifiedVotes {
  readonly remember: (item: SignedItem) => void
  readonly has: (item: SignedItem) => boolean
}

/** Holds at most `capacity` signatures; the oldest go first. Two commits of every validator are enough. */
export function createVerifiedVotes({ capacity }: { readonly capacity: number }): VerifiedVotes {
  const known = new Set<string>()
  // What this iterator has passed was deleted, so its next value is the oldest.
  const oldest = known.values()
  return {
    remember: (item) => {
      const key = identity(item)
      if (capacity <= 0 || known.has(key)) return
      if (known.size >= capacity) known.delete(oldest.next().value as string)
      known.add(key)
    },
    has: (item) => known.has(identity(item)),
  }
}

function identity({ publicKey, message, signature }: SignedItem): string {
  // The lengths keep the parts apart; keys and signatures have fixed ones within a key type.
  const lengths = Uint8Array.of(publicKey.bytes.length, signature.length)
  return bytesToHex(sha256(concatBytes(lengths, publicKey.bytes, signature, message)))
}
