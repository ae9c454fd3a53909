import { loadSodium } from '@org/runtime/sodium'
import { utf8ToBytes } from '@org/types/bytes'
import { generateEd25519, type PrivateKey, sha256 } from '@org/types/crypto'

/** Makes a validator's key from its name: the same name always gives the same key. */
export function keyOf(name: string): PrivateKey {
  const seed = sha256(utf8ToBytes(name))
  const sodium = loadSodium()
  // Libsodium, if it is installed, makes the same key in a tenth of the time.
  if (sodium === undefined) return generateEd25519(seed)
  const bytes = new Uint8Array(64)
  sodium.crypto_sign_seed_keypair(new Uint8Array(32), bytes, seed)
  return { type: 'ed25519', bytes }
}
