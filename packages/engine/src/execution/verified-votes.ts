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
  // Found by the signature's bytes, which differ for each item. Strings, because the bytes may be views that each keep a
  // much larger buffer alive.
  const known = new Map<string, string>()
  // What this iterator has passed was deleted, so its next value is the oldest.
  const oldest = known.keys()

  return {
    remember: (item) => {
      if (capacity <= 0) return
      const key = textOf(item.signature)
      if (known.size >= capacity && !known.has(key)) known.delete(oldest.next().value as string)
      known.set(key, signedOf(item))
    },
    has: (item) => known.get(textOf(item.signature)) === signedOf(item),
  }
}

/** Of longer messages (vote extensions) only the hash is kept. */
const MAX_KEPT_MESSAGE = 256

/** The type says how long the key is, so where the message begins. */
function signedOf({ publicKey, message }: SignedItem): string {
  const content = message.length > MAX_KEPT_MESSAGE ? `#${textOf(sha256(message))}` : `=${textOf(message)}`
  return publicKey.type + textOf(publicKey.bytes) + content
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode.apply(null, bytes as unknown as number[])
}
