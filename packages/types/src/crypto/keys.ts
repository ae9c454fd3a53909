import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { signEd25519 } from '#crypto'
import { base64ToBytes, bytesToBase64, concatBytes, equalBytes } from '../bytes/index.ts'
import { isJsonObject, type Json } from '../schema/index.ts'
import { CRYPTO_ERRORS, CryptoError } from './errors.ts'
import { ripemd160, sha256, sha256Truncated } from './hash.ts'
import type { PublicKey } from './wire.ts'

/** The type of a key: `ed25519` or `secp256k1`, as in `pub_key_types` of the consensus parameters. */
export type KeyType = PublicKey['type']

/** A private key. `bytes` has 64 bytes for ed25519 (the seed, then the public key) and 32 bytes for secp256k1. */
export interface PrivateKey {
  readonly type: KeyType
  readonly bytes: Uint8Array
}

/** The number of bytes of an address. */
export const ADDRESS_SIZE = 20
/** The maximum number of bytes of a signature by any type of key. */
export const MAX_SIGNATURE_SIZE = 64
/** The number of bytes of a public key of each type. */
export const PUBLIC_KEY_SIZES: Readonly<Record<KeyType, number>> = { ed25519: 32, secp256k1: 33 }
const PRIVATE_KEY_SIZES: Readonly<Record<KeyType, number>> = { ed25519: 64, secp256k1: 32 }

export const PUBLIC_KEY_TAGS: Readonly<Record<KeyType, string>> = {
  ed25519: 'tendermint/PubKeyEd25519',
  secp256k1: 'tendermint/PubKeySecp256k1',
}
const PRIVATE_KEY_TAGS: Readonly<Record<KeyType, string>> = {
  ed25519: 'tendermint/PrivKeyEd25519',
  secp256k1: 'tendermint/PrivKeySecp256k1',
}
/** The names of the key types in the reference's Go code. The reference's messages show these names. */
const GO_NAMES: Readonly<Record<KeyType, string>> = { ed25519: 'PubKeyEd25519', secp256k1: 'PubKeySecp256k1' }

/** Returns true if the text is the name of a supported type of key. */
export function isKeyType(type: string): type is KeyType {
  return Object.hasOwn(PUBLIC_KEY_SIZES, type)
}

function checkSize(what: string, size: number, wanted: number): void {
  if (size === wanted) return
  const data = { size, wanted }
  throw new CryptoError(CRYPTO_ERRORS.keySize, `invalid size for ${what}. Got ${size}, expected ${wanted}`, { data })
}

/** Makes a public key of these bytes. Throws {@link CryptoError} on a wrong size. */
export function publicKeyFromBytes(type: KeyType, bytes: Uint8Array): PublicKey {
  checkSize(GO_NAMES[type], bytes.length, PUBLIC_KEY_SIZES[type])
  return { type, bytes }
}

/** Throws {@link CryptoError} if the second half of these 64 bytes is not the public key of the first half. */
function checkPublicHalf(bytes: Uint8Array): void {
  const wanted = ed25519.getPublicKey(bytes.subarray(0, 32))
  const given = bytes.subarray(32)
  if (equalBytes(given, wanted)) return
  const message = `expected an ed25519 private key to end in its public key, ${bytesToBase64(wanted)}, but it ends in other bytes: its signatures would be invalid; restore the key from a copy`
  throw new CryptoError(CRYPTO_ERRORS.keyMismatch, message)
}

/**
 * Makes a private key of these bytes. For ed25519 these are 64 bytes (the seed, then the public key), or 32 bytes (the
 * seed alone). Throws {@link CryptoError} on a wrong size, and on a public key that does not belong to the seed. The
 * reference accepts such a public key, and then makes invalid signatures.
 */
export function privateKeyFromBytes(type: KeyType, bytes: Uint8Array): PrivateKey {
  if (type === 'ed25519' && bytes.length === 32) {
    return { type, bytes: concatBytes(bytes, ed25519.getPublicKey(bytes)) }
  }
  checkSize(`${type} private key`, bytes.length, PRIVATE_KEY_SIZES[type])
  if (type === 'ed25519') checkPublicHalf(bytes)
  return { type, bytes }
}

/** Makes an ed25519 key, from the system's randomness unless `seed` (32 bytes) is given. */
export function generateEd25519(seed?: Uint8Array): PrivateKey {
  return privateKeyFromBytes('ed25519', seed ?? globalThis.crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * Makes a secp256k1 key, from the system's randomness unless `secret` (32 bytes) is given. `secret` must be between 1
 * and n-1.
 */
export function generateSecp256k1(secret?: Uint8Array): PrivateKey {
  return { type: 'secp256k1', bytes: secret ?? secp256k1.utils.randomSecretKey() }
}

/** Makes the ed25519 key whose seed is the SHA-256 of a secret. The reference makes keys from a text in this way. */
export function ed25519FromSecret(secret: Uint8Array): PrivateKey {
  return generateEd25519(sha256(secret))
}

/** Returns the public key of a private key. */
export function publicKeyOf(key: PrivateKey): PublicKey {
  if (key.type === 'ed25519') return { type: 'ed25519', bytes: key.bytes.subarray(32) }
  return { type: 'secp256k1', bytes: secp256k1.getPublicKey(key.bytes, true) }
}

/**
 * Signs `message`, and returns 64 bytes. With secp256k1 they are r and a low s, and the SHA-256 of the message is
 * signed.
 */
export function sign(key: PrivateKey, message: Uint8Array): Uint8Array {
  if (key.type === 'ed25519') return signEd25519(key.bytes, message)
  return secp256k1.sign(message, key.bytes)
}

/** Returns the address of a key, 20 bytes. Throws {@link CryptoError} on a key of a wrong size. */
export function addressOf(key: PublicKey): Uint8Array {
  checkSize(GO_NAMES[key.type], key.bytes.length, PUBLIC_KEY_SIZES[key.type])
  return key.type === 'ed25519' ? sha256Truncated(key.bytes) : ripemd160(sha256(key.bytes))
}

function fromTagged(json: Json, tags: Readonly<Record<KeyType, string>>): readonly [KeyType, Uint8Array] {
  const entry = isJsonObject(json) ? Object.entries(tags).find(([, tag]) => tag === json.type) : undefined
  const bytes = isJsonObject(json) && typeof json.value === 'string' ? base64ToBytes(json.value) : undefined
  if (entry === undefined || bytes === undefined) {
    throw new CryptoError(
      CRYPTO_ERRORS.keyJson,
      `expected a key with "type" (${Object.values(tags).join(', ')}) and "value"`,
    )
  }
  return [entry[0] as KeyType, bytes]
}

/** Returns the reference's tagged form, `{ "type": "tendermint/PubKeyEd25519", "value": base64 }`. */
export function publicKeyToJson(key: PublicKey): Json {
  return { type: PUBLIC_KEY_TAGS[key.type], value: bytesToBase64(key.bytes) }
}

/** Reads a public key in the form of the genesis document. Throws {@link CryptoError}. */
export function publicKeyFromJson(json: Json): PublicKey {
  return publicKeyFromBytes(...fromTagged(json, PUBLIC_KEY_TAGS))
}

/** Returns a private key in the form of the key files. */
export function privateKeyToJson(key: PrivateKey): Json {
  return { type: PRIVATE_KEY_TAGS[key.type], value: bytesToBase64(key.bytes) }
}

/** Reads a private key in the form of the key files. Throws {@link CryptoError}. */
export function privateKeyFromJson(json: Json): PrivateKey {
  const [type, bytes] = fromTagged(json, PRIVATE_KEY_TAGS)
  checkSize(PRIVATE_KEY_TAGS[type], bytes.length, PRIVATE_KEY_SIZES[type])
  return privateKeyFromBytes(type, bytes)
}
