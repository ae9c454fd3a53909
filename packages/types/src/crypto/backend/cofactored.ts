import { createHash } from 'node:crypto'
import { dropOldest } from '@org/runtime'
import { loadSodium, type Sodium } from '@org/runtime/sodium'
import type { Ed25519Item } from './openssl.ts'

/** The encoded points P with 8 P = 0. Their orders are 1, 2, 4, 4, 8, 8, 8 and 8. */
const TORSION: ReadonlySet<string> = new Set([
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
])

const IDENTITY = Uint8Array.of(1, ...new Uint8Array(31))

/** In the little-endian form of 2^255 - 19, each byte between the first byte and the last byte has this value. */
const PRIME_MIDDLE = 0xff
const PRIME_FIRST = 0xed
const PRIME_LAST = 0x7f

/**
 * The maximum number of keys in the cache `validKeys`, which stores whether a key is a valid point. A validator set has
 * at most this number of keys. The oldest entry is removed first.
 */
const MAX_KEYS = 10_000
const validKeys = new Map<string, boolean>()

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

function isValidKey(sodium: Sodium, publicKey: Uint8Array): boolean {
  const name = hex(publicKey)
  const known = validKeys.get(name)
  if (known !== undefined) return known
  const valid = sodium.crypto_core_ed25519_is_valid_point(publicKey)
  validKeys.set(name, valid)
  dropOldest(validKeys, MAX_KEYS)
  return valid
}

/**
 * True if the encoded y coordinate is below 2^255 - 19. A larger y represents the same coordinate as y minus 2^255 -
 * 19.
 */
function isReduced(point: Uint8Array): boolean {
  if (((point[31] as number) & 0x7f) !== PRIME_LAST || (point[0] as number) < PRIME_FIRST) return true
  for (let i = 1; i < 31; i++) if (point[i] !== PRIME_MIDDLE) return true
  return false
}

/**
 * Returns the canonical encoding of the point that ZIP-215 reads from an encoding. In a canonical encoding, y is below
 * 2^255 - 19, and the sign bit is 0 if x is 0.
 */
export function canonicalPoint(encoded: Uint8Array): Uint8Array {
  const point = encoded.slice()
  const sign = (point[31] as number) & 0x80
  if (!isReduced(point)) {
    const first = (point[0] as number) - PRIME_FIRST
    point.fill(0)
    point[0] = first
    point[31] = sign
  }
  const unsigned = point.slice()
  unsigned[31] = (unsigned[31] as number) & 0x7f
  const text = hex(unsigned)
  // If y is 1 or -1, x is 0. Then the sign bit of the canonical encoding is 0.
  return text === hex(IDENTITY) || text === `ec${'ff'.repeat(30)}7f` ? unsigned : point
}

/** True if {@link verifyCofactored} can decide about signatures by this key. The answer for a key is cached. */
export function decidesCofactored(publicKey: Uint8Array): boolean {
  const sodium = loadSodium()
  return sodium !== undefined && isValidKey(sodium, publicKey)
}

/**
 * Verifies a signature exactly by the rules of ZIP-215, with libsodium's arithmetic of points. This takes about five
 * times as long as the fast check of a valid signature. With the JavaScript library noble, the exact check takes fifty
 * times as long as the fast check. The caller has checked that s is below the order of the subgroup.
 *
 * ZIP-215 accepts a signature (R, s) by a key A if 8 (s B - h A - R) = 0. B is the base point, and h is the hash of R,
 * A and the message. The equation is true if s B - h A - R is one of the eight points in {@link TORSION}.
 *
 * Returns `undefined`, which means no decision, if libsodium is missing, or if the key is not a canonical point of the
 * prime-order subgroup. An honest key is always a canonical point of this subgroup. The result is also `undefined` if h
 * is 0, because libsodium does not multiply by 0. This never happens in practice.
 */
export function verifyCofactored({ publicKey, message, signature }: Ed25519Item): boolean | undefined {
  const sodium = loadSodium()
  if (sodium === undefined || !isValidKey(sodium, publicKey)) return undefined
  const r = signature.subarray(0, 32)
  const s = signature.subarray(32)
  const challenge = new Uint8Array(32)
  sodium.crypto_core_ed25519_scalar_reduce(
    challenge,
    new Uint8Array(createHash('sha512').update(r).update(publicKey).update(message).digest()),
  )
  if (challenge.every((byte) => byte === 0)) return undefined
  const point = new Uint8Array(32)
  const product = new Uint8Array(32)
  if (s.every((byte) => byte === 0)) point.set(IDENTITY)
  else sodium.crypto_scalarmult_ed25519_base_noclamp(point, s)
  sodium.crypto_scalarmult_ed25519_noclamp(product, challenge, publicKey)
  sodium.crypto_core_ed25519_sub(point, point, product)
  try {
    sodium.crypto_core_ed25519_sub(point, point, canonicalPoint(r))
  } catch {
    // R is not a point of the curve, so the signature is invalid.
    return false
  }
  return TORSION.has(hex(point))
}
