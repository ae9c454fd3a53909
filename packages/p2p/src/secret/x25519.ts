import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'
import { concatBytes } from '@org/types/bytes'

/** The DER prefixes of a private key and of a public key of 32 bytes (RFC 8410). */
const PRIVATE_PREFIX = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20)
const PUBLIC_PREFIX = Uint8Array.of(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 3, 0x21, 0)

/**
 * An X25519 key pair. OpenSSL computes the shared secret, because a computation in JavaScript takes about twenty times
 * as long.
 */
export interface X25519Pair {
  readonly public: Uint8Array
  /**
   * Returns the secret that this key pair and the other side's public key (32 bytes) have in common. Returns
   * `undefined` if the public key is a point of low order, because the secret is then zero.
   */
  readonly agree: (remotePublic: Uint8Array) => Uint8Array | undefined
}

/** Makes a key pair from a `secret` of 32 bytes. */
export function x25519Pair(secret: Uint8Array): X25519Pair {
  const privateKey = createPrivateKey({ key: der(PRIVATE_PREFIX, secret), format: 'der', type: 'pkcs8' })
  const exported = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return {
    public: new Uint8Array(exported.subarray(PUBLIC_PREFIX.length)),
    agree: (remotePublic) => {
      const publicKey = createPublicKey({ key: der(PUBLIC_PREFIX, remotePublic), format: 'der', type: 'spki' })
      const shared = sharedSecret(privateKey, publicKey)
      return shared?.some((byte) => byte !== 0) === true ? shared : undefined
    },
  }
}

/**
 * Returns the shared secret; `undefined` if it is zero. OpenSSL refuses a secret of zeros, and has no other reason to
 * fail for two well-formed keys.
 */
function sharedSecret(privateKey: KeyObject, publicKey: KeyObject): Uint8Array | undefined {
  try {
    return new Uint8Array(diffieHellman({ privateKey, publicKey }))
  } catch {
    return undefined
  }
}

function der(prefix: Uint8Array, key: Uint8Array): Buffer {
  const bytes = concatBytes(prefix, key)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
