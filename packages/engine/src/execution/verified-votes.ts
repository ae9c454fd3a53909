import { equalBytes } from '@org/types/bytes'
import type { SignedItem } from '@org/types/crypto'

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
  // Found by the signature's bytes, which differ for each item; then all three are compared.
  const known = new Map<string, Omit<SignedItem, 'signature'>>()
  // What this iterator has passed was deleted, so its next value is the oldest.
  const oldest = known.keys()

  function has({ publicKey, message, signature }: SignedItem): boolean {
    const found = known.get(textOf(signature))
    if (found === undefined || found.publicKey.type !== publicKey.type) return false
    return equalBytes(found.publicKey.bytes, publicKey.bytes) && equalBytes(found.message, message)
  }

  return {
    remember: (item) => {
      if (capacity <= 0 || has(item)) return
      const { publicKey, message, signature } = item
      const key = textOf(signature)
      if (known.size >= capacity && !known.has(key)) known.delete(oldest.next().value as string)
      // Not the signature itself: it may be a view that keeps a whole frame alive.
      known.set(key, { publicKey, message })
    },
    has,
  }
}

function textOf(signature: Uint8Array): string {
  return String.fromCharCode(...signature)
}
