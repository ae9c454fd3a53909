import { bytesToBinary, isBinaryOf } from '@org/types/bytes'
import { type SignedItem, sha256 } from '@org/types/crypto'

/**
 * Remembers valid signatures. A commit is made of votes that arrived one by one, so its signatures need not be verified
 * again. A signature counts as remembered only with the same key and the same message.
 */
export interface VerifiedVotes {
  readonly remember: (item: SignedItem) => void
  readonly has: (item: SignedItem) => boolean
  readonly size: () => number
}

/**
 * The maximum number of signatures per validator: two votes per height, for 20 heights. This is enough for block sync,
 * which verifies commits some heights ahead.
 */
const KEPT_PER_SIGNER = 40
/** The number of signatures that are kept even if the chain has few validators. */
const MIN_CAPACITY = 2_000
/**
 * The maximum number of bytes of a message that is kept as a whole. If a message is longer, only its hash is kept. A
 * message is longer only if it contains a vote extension.
 */
const MAX_KEPT_MESSAGE = 256

/** The number of remembered signatures of one validator. */
interface Signer {
  count: number
}

interface Known {
  readonly signer: Signer
  readonly key: string
  /**
   * The length of the message in bytes. A long message is stored as its hash, and a short message may consist of the
   * same bytes as this hash. The length distinguishes the two messages.
   */
  readonly length: number
  readonly message: string
}

/**
 * Creates a memory for at most `capacity` signatures, and for fewer if few validators sign. The oldest signatures are
 * removed first. `capacity` should be at least the number of signatures in two commits of all validators.
 */
export function createVerifiedVotes({ capacity }: { readonly capacity: number }): VerifiedVotes {
  // Each remembered item has a different signature, so the signature as text is the key of the map. The signature's
  // bytes are not kept: they may be a view that keeps a much larger buffer in memory.
  const known = new Map<string, Known>()
  const signers = new Map<string, Signer>()
  // The next value of this iterator is always the oldest entry of the map, because all entries before it have been
  // deleted.
  const oldest = known.entries()

  function forgetOldest(): void {
    const [text, { signer, key }] = oldest.next().value as [string, Known]
    known.delete(text)
    signer.count--
    if (signer.count === 0) signers.delete(key)
  }

  return {
    remember: ({ publicKey, message, signature }) => {
      if (capacity <= 0) return
      const text = bytesToBinary(signature)
      if (known.has(text)) return
      const key = bytesToBinary(publicKey.bytes)
      let signer = signers.get(key)
      if (signer === undefined) {
        signer = { count: 0 }
        signers.set(key, signer)
      }
      signer.count++
      const limit = Math.min(capacity, Math.max(MIN_CAPACITY, signers.size * KEPT_PER_SIGNER))
      while (known.size >= limit) forgetOldest()
      known.set(text, { signer, key, length: message.length, message: bytesToBinary(keptOf(message)) })
    },
    size: () => known.size,
    has: ({ publicKey, message, signature }) => {
      const found = known.get(bytesToBinary(signature))
      // The type of the key need not be compared, because keys of different types have different lengths.
      return (
        found !== undefined &&
        found.length === message.length &&
        isBinaryOf(found.key, publicKey.bytes) &&
        isBinaryOf(found.message, keptOf(message))
      )
    },
  }
}

const keptOf = (message: Uint8Array): Uint8Array => (message.length > MAX_KEPT_MESSAGE ? sha256(message) : message)
