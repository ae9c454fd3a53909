import { bytesToBinary, isBinaryOf } from '@org/types/bytes'
import { type SignedItem, sha256 } from '@org/types/crypto'

/**
 * Remembers signatures that were found good, so that a commit made of votes that came in one by one is not verified
 * again. Key, message and signature count together.
 */
export interface VerifiedVotes {
  readonly remember: (item: SignedItem) => void
  readonly has: (item: SignedItem) => boolean
  readonly size: () => number
}

/** So many for each validator: two votes a height, of as many heights as block sync may be ahead. */
const KEPT_PER_SIGNER = 40
/** Few validators are no reason to forget more. */
const LEAST = 2_000
/** Of longer messages (vote extensions) only the hash is kept. */
const MAX_KEPT_MESSAGE = 256

/** Whose signatures are known, and how many of them. */
interface Signer {
  count: number
}

interface Known {
  readonly signer: Signer
  readonly key: string
  /** Of the message, so that a hash is never taken for a message. */
  readonly length: number
  readonly message: string
}

/**
 * Holds at most `capacity` signatures, and fewer where few validators sign; the oldest go first. Two commits of every validator are
 * enough.
 */
export function createVerifiedVotes({ capacity }: { readonly capacity: number }): VerifiedVotes {
  // Found by the signature's bytes, which differ for each item. Strings, because the bytes may be views that each keep a
  // much larger buffer alive.
  const known = new Map<string, Known>()
  const signers = new Map<string, Signer>()
  // What this iterator has passed was deleted, so its next value is the oldest.
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
      const room = Math.min(capacity, Math.max(LEAST, signers.size * KEPT_PER_SIGNER))
      while (known.size >= room) forgetOldest()
      known.set(text, { signer, key, length: message.length, message: bytesToBinary(keptOf(message)) })
    },
    size: () => known.size,
    has: ({ publicKey, message, signature }) => {
      const found = known.get(bytesToBinary(signature))
      // Keys of different types have different lengths.
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
