import { sha256 } from '#crypto'

export { ripemd160, sha256, sha256Text } from '#crypto'

/** The number of bytes of a SHA-256 digest. */
export const HASH_SIZE = 32

/** Returns the first 20 bytes of the SHA-256 digest. */
export function sha256Truncated(bytes: Uint8Array): Uint8Array {
  return sha256(bytes).slice(0, 20)
}
