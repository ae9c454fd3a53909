import { equalBytes } from '@org/types/bytes'
import type { SignedItem } from '@org/types/crypto'
import type { FindInvalid } from '@org/types/validators'

type Known = Pick<SignedItem, 'publicKey' | 'message'>

const isSame = (known: Known, { publicKey, message }: Known): boolean =>
  known.publicKey.type === publicKey.type &&
  equalBytes(known.publicKey.bytes, publicKey.bytes) &&
  equalBytes(known.message, message)

/**
 * Returns a function that verifies no signature of a block twice. A header after a gap is verified with the trusted validators
 * and with its own, who are mostly the same, and a block may be tried from several trusted ones. The memory is freed together
 * with the block.
 */
export function rememberSignatures(findInvalid: FindInvalid): FindInvalid {
  const verified = new WeakMap<Uint8Array, Known>()

  return async (items) => {
    const places: number[] = []
    for (const [index, item] of items.entries()) {
      const known = verified.get(item.signature)
      if (known === undefined || !isSame(known, item)) places.push(index)
    }
    if (places.length === 0) return -1
    const rest = places.map((index) => items[index] as SignedItem)
    const invalid = await findInvalid(rest)
    if (invalid !== -1) return places[invalid] as number
    for (const { publicKey, message, signature } of rest) verified.set(signature, { publicKey, message })
    return -1
  }
}
