import { loadedSodium, loadSodium, type Sodium } from '@org/runtime/sodium'
import { type Ed25519Item, signEd25519WithOpenSsl, verifyEd25519InPool, verifyEd25519WithOpenSsl } from './openssl.ts'

/**
 * Verifies with libsodium if libsodium is loaded already, because libsodium takes half the time of OpenSSL. Loading
 * libsodium for one signature would cost more than it saves.
 */
export function verifyEd25519(item: Ed25519Item): boolean {
  const sodium = loadedSodium()
  if (sodium === undefined) return verifyEd25519WithOpenSsl(item)
  return sodium.crypto_sign_verify_detached(item.signature, item.message, item.publicKey)
}

/**
 * The number of signatures that are verified in about a millisecond. After them, other work gets a turn of the event
 * loop.
 */
const SLICE = 20

/**
 * Returns for each signature whether it is valid. With libsodium, this thread verifies the signatures, {@link SLICE} of
 * them in each turn of the event loop. The thread pool would not be faster: passing a signature to the pool and
 * receiving the result takes as long as verifying the signature. Without libsodium, the thread pool verifies the
 * signatures.
 */
export async function verifyEd25519All(items: readonly Ed25519Item[]): Promise<boolean[]> {
  if (loadSodium() === undefined) return Promise.all(items.map(verifyEd25519InPool))
  const answers: boolean[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % SLICE === 0) await new Promise((resolve) => setImmediate(resolve))
    answers.push(verifyEd25519(item))
  }
  return answers
}

/**
 * The number of signatures that this process makes before it loads libsodium. A node that has signed so often is a
 * validator, and libsodium makes each further signature faster. Programs that sign only a few times save the memory of
 * libsodium.
 */
const SIGNED_WITHOUT_SODIUM = 1000

// The number of signatures that this process has made. After SIGNED_WITHOUT_SODIUM signatures, the process loads
// libsodium and signs with it. All nodes of the process share the number, so one node may cause the change for another
// node. This is safe, because OpenSSL and libsodium make the same signatures.
let signed = 0

/** For each private key: the secret key in the form of libsodium. */
const secretKeys = new WeakMap<Uint8Array, Uint8Array>()

/**
 * Returns the secret key for libsodium. Its public key is computed from the seed, as OpenSSL does it, because the
 * public key in a private key may be wrong. With the wrong public key, libsodium and OpenSSL would make two different
 * signatures of one message. Two such signatures reveal the private key.
 */
function secretKeyOf(sodium: Sodium, privateKey: Uint8Array): Uint8Array {
  const known = secretKeys.get(privateKey)
  if (known !== undefined) return known
  const secretKey = new Uint8Array(64)
  sodium.crypto_sign_seed_keypair(new Uint8Array(32), secretKey, privateKey.subarray(0, 32))
  secretKeys.set(privateKey, secretKey)
  return secretKey
}

/**
 * Signs `message`. `privateKey` has 64 bytes: the seed, then the public key. Signs with libsodium if libsodium is
 * loaded, because libsodium takes six tenths of the time of OpenSSL. Loads libsodium after
 * {@link SIGNED_WITHOUT_SODIUM} signatures.
 */
export function signEd25519(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  const sodium = signed++ < SIGNED_WITHOUT_SODIUM ? loadedSodium() : loadSodium()
  if (sodium === undefined) return signEd25519WithOpenSsl(privateKey, message)
  const signature = new Uint8Array(64)
  sodium.crypto_sign_detached(signature, message, secretKeyOf(sodium, privateKey))
  return signature
}
