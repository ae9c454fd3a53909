import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { bytesToBinary } from '../../bytes/index.ts'
import type { Ed25519Item } from './ed25519-item.ts'
import { acceptedByWebCrypto } from './web-crypto.ts'

export type { Ed25519Item }

/** True if `verifyEd25519` accepts every signature that ZIP-215 accepts. */
export const acceptsAllOfZip215 = true

/** Returns the SHA-256 hash of the bytes, which has 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes)
}

export function sha256Text(bytes: Uint8Array): string {
  return bytesToBinary(nobleSha256(bytes))
}

export interface DigestBuffer {
  readonly bytes: Uint8Array
  readonly put: (data: Uint8Array, offset: number) => void
}

export function createDigestBuffer(count: number): DigestBuffer {
  const bytes = new Uint8Array(count * 32)
  return { bytes, put: (data, offset) => bytes.set(nobleSha256(data), offset) }
}

/** Returns the RIPEMD-160 hash of the bytes, which has 20 bytes. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  return nobleRipemd160(bytes)
}

export function verifyEd25519({ publicKey, message, signature }: Ed25519Item): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: true })
  } catch {
    return false
  }
}

/**
 * Always returns `undefined`, which means no decision. In browsers this check is not needed, because the fast check
 * already decides as ZIP-215 does.
 */
export function verifyCofactored(_item: Ed25519Item): boolean | undefined {
  return undefined
}

export function decidesCofactored(_publicKey: Uint8Array): boolean {
  return false
}

/**
 * The maximum number of signatures that are verified on the calling thread, and not by WebCrypto. It is 0, because
 * WebCrypto verifies even one signature faster than JavaScript.
 */
export const MAX_IN_PLACE = 0

/**
 * WebCrypto verifies each signature first. If WebCrypto refuses a signature, JavaScript decides by ZIP-215, which
 * accepts more signatures.
 */
export async function verifyEd25519All(items: readonly Ed25519Item[]): Promise<boolean[]> {
  const accepted = await acceptedByWebCrypto(items)
  return items.map((item, index) => accepted[index] === true || verifyEd25519(item))
}

export function signEd25519(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, privateKey.subarray(0, 32))
}

export function verifySecp256k1(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, message, publicKey)
  } catch {
    return false
  }
}
