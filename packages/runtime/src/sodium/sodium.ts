import { createRequire } from 'node:module'

/**
 * The functions of libsodium that Halley uses, by their names. The binding checks the sizes of arguments, and throws on
 * a wrong size.
 */
export interface Sodium {
  /**
   * Computes the public key of `seed`, and writes it into `publicKey`. Writes the seed and the public key into
   * `secretKey`.
   */
  readonly crypto_sign_seed_keypair: (publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array) => void
  /** Signs `message`. `secretKey` is the seed and the public key. The public key must belong to this seed. */
  readonly crypto_sign_detached: (signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array) => void
  /** Verifies an Ed25519 signature. Refuses encodings that are not canonical, and points of low order. */
  readonly crypto_sign_verify_detached: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean
  /**
   * Returns true if the bytes are the canonical encoding of a point in the prime-order subgroup, and the point is not
   * of low order.
   */
  readonly crypto_core_ed25519_is_valid_point: (point: Uint8Array) => boolean
  /**
   * Writes the point `left - right` into `difference`. Throws unless both points are on the curve. Accepts points of
   * low order.
   */
  readonly crypto_core_ed25519_sub: (difference: Uint8Array, left: Uint8Array, right: Uint8Array) => void
  /** Reduces a number of 64 bytes modulo the order of the subgroup. */
  readonly crypto_core_ed25519_scalar_reduce: (scalar: Uint8Array, wide: Uint8Array) => void
  /** Multiplies a point by a scalar. Throws for a scalar of 0, and for a point that is not valid. */
  readonly crypto_scalarmult_ed25519_noclamp: (product: Uint8Array, scalar: Uint8Array, point: Uint8Array) => void
  /** Multiplies the base point by a scalar. Throws for a scalar of 0. */
  readonly crypto_scalarmult_ed25519_base_noclamp: (product: Uint8Array, scalar: Uint8Array) => void
  /** Encrypts a text, and writes the encrypted text and its tag into `sealed`. */
  // oxlint-disable-next-line max-params -- the signature of the library
  readonly crypto_aead_chacha20poly1305_ietf_encrypt: (
    sealed: Uint8Array,
    plain: Uint8Array,
    additional: null,
    secretNonce: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ) => number
  /** Decrypts a text. Throws if the tag is not valid for the encrypted text. */
  // oxlint-disable-next-line max-params -- the signature of the library
  readonly crypto_aead_chacha20poly1305_ietf_decrypt: (
    plain: Uint8Array,
    secretNonce: null,
    sealed: Uint8Array,
    additional: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ) => number
}

const PACKAGE = 'sodium-native'
const require = createRequire(import.meta.url)

// The loaded library, which all nodes of the process share. If one node loads the library, the others use it too. This
// does not change their results, because the results are the same with and without libsodium.
let sodium: Sodium | undefined
let wasTried = false

/**
 * Returns libsodium; `undefined` if the package `sodium-native` is not installed or has no build for this machine. It
 * is loaded at the first call, which takes about 15 ms and 8 MB of memory.
 */
export function loadSodium(): Sodium | undefined {
  if (wasTried) return sodium
  wasTried = true
  try {
    sodium = require(PACKAGE) as Sodium
  } catch {
    // libsodium is not installed, or has no build for this system. Callers then use Node's own cryptography.
    sodium = undefined
  }
  return sodium
}

/** Returns libsodium if it is loaded already; otherwise `undefined`. */
export function loadedSodium(): Sodium | undefined {
  return sodium
}

/** Returns the path from which another thread can load libsodium; `undefined` if it is not installed. */
export function sodiumPath(): string | undefined {
  return loadSodium() === undefined ? undefined : require.resolve(PACKAGE)
}
