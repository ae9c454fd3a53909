import { createRequire } from 'node:module'

/** The functions of libsodium in use, by their names. The binding checks sizes and throws. */
export interface Sodium {
  /** `secretKey` becomes seed and public key. */
  readonly crypto_sign_seed_keypair: (publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array) => void
  /** `secretKey` is seed and public key, which must belong together. */
  readonly crypto_sign_detached: (signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array) => void
  /** Refuses encodings that are not canonical, and points of low order. */
  readonly crypto_sign_verify_detached: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean
  /** True for a canonical encoding of a point of the prime-order subgroup that is not of low order. */
  readonly crypto_core_ed25519_is_valid_point: (point: Uint8Array) => boolean
  /** Writes `left - right`. Throws unless both are on the curve; points of low order are accepted. */
  readonly crypto_core_ed25519_sub: (difference: Uint8Array, left: Uint8Array, right: Uint8Array) => void
  /** Reduces 64 bytes modulo the order of the subgroup. */
  readonly crypto_core_ed25519_scalar_reduce: (scalar: Uint8Array, wide: Uint8Array) => void
  /** Throws for a scalar of 0, and for a point that is not valid. */
  readonly crypto_scalarmult_ed25519_noclamp: (product: Uint8Array, scalar: Uint8Array, point: Uint8Array) => void
  /** Throws for a scalar of 0. */
  readonly crypto_scalarmult_ed25519_base_noclamp: (product: Uint8Array, scalar: Uint8Array) => void
  /** Writes text and tag into `sealed`. */
  // oxlint-disable-next-line max-params -- the signature of the library
  readonly crypto_aead_chacha20poly1305_ietf_encrypt: (
    sealed: Uint8Array,
    plain: Uint8Array,
    additional: null,
    secretNonce: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ) => number
  /** Throws if the tag does not fit. */
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

// Shared by the whole process, like a built-in module. It changes the cost of an answer, never the answer.
let sodium: Sodium | undefined
let wasTried = false

/**
 * libsodium, where the package `sodium-native` is installed and has a build for this machine. It is loaded at its first
 * use, which takes about 15 ms and 8 MB of memory.
 */
export function loadSodium(): Sodium | undefined {
  if (wasTried) return sodium
  wasTried = true
  try {
    sodium = require(PACKAGE) as Sodium
  } catch {
    // libsodium is not installed, or not built for this system: callers use Node's own cryptography.
    sodium = undefined
  }
  return sodium
}

/** libsodium, if it is loaded already. */
export function loadedSodium(): Sodium | undefined {
  return sodium
}

/** The path from which another thread loads libsodium; `undefined` if it is not installed. */
export function sodiumPath(): string | undefined {
  return loadSodium() === undefined ? undefined : require.resolve(PACKAGE)
}
