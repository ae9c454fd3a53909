import { createHash, hash } from 'node:crypto'

export { decidesCofactored, verifyCofactored } from './cofactored.ts'
export { signEd25519, verifyEd25519, verifyEd25519All } from './ed25519.ts'
export { type Ed25519Item, verifySecp256k1 } from './openssl.ts'

/**
 * True if `verifyEd25519` accepts every signature that ZIP-215 accepts. libsodium and OpenSSL refuse some encodings
 * that ZIP-215 accepts.
 */
export const acceptsAllOfZip215 = false

/**
 * The maximum number of signatures that are verified on the calling thread. Handing work to another thread and
 * receiving the result takes as long as verifying two or three signatures.
 */
export const MAX_IN_PLACE = 4

/**
 * Returns the SHA-256 digest as text with one character per byte, which is used as the key of a cache. OpenSSL returns
 * a digest fastest in this form, because it needs no external memory.
 */
export function sha256Text(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'binary')
}

/** Returns the SHA-256 hash of the bytes, which has 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const text = sha256Text(bytes)
  const digest = new Uint8Array(32)
  for (let i = 0; i < 32; i++) digest[i] = text.charCodeAt(i)
  return digest
}

/** A buffer that holds many digests one after the other. */
export interface DigestBuffer {
  readonly bytes: Uint8Array
  /** Writes the digest of `data` at `offset`. */
  readonly put: (data: Uint8Array, offset: number) => void
}

export function createDigestBuffer(count: number): DigestBuffer {
  const buffer = Buffer.from(new ArrayBuffer(count * 32))
  return {
    bytes: new Uint8Array(buffer.buffer),
    put: (data, offset) => void buffer.write(sha256Text(data), offset, 32, 'latin1'),
  }
}

/** Returns the RIPEMD-160 hash of the bytes, which has 20 bytes. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('ripemd160').update(bytes).digest())
}
