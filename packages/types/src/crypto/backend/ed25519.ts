import { loadedSodium, loadSodium } from '@org/runtime/sodium'
import { type Ed25519Item, verifyEd25519InPool, verifyEd25519WithOpenSsl } from './openssl.ts'

/**
 * Verifies with libsodium if libsodium is loaded already, because libsodium takes half the time of OpenSSL. Loading
 * libsodium for one signature would cost more than it saves.
 */
export function verifyEd25519(item: Ed25519Item): boolean {
  const sodium = loadedSodium()
  if (sodium === undefined) return verifyEd25519WithOpenSsl(item)
  return sodium.crypto_sign_verify_detached(item.signature, item.message, item.publicKey)
}

/** The number of signatures that take about a millisecond. After them, other work gets a turn of the event loop. */
const SLICE = 20

/**
 * Returns for each signature whether it is valid. With libsodium, this thread verifies them, {@link SLICE} signatures
 * in each turn of the event loop, because passing a signature to the thread pool and receiving the result takes as long
 * as verifying it. Without libsodium, the thread pool verifies them.
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
