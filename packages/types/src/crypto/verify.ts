import { ed25519 } from '@noble/curves/ed25519.js'
import {
  acceptsAllOfZip215,
  decidesCofactored,
  type Ed25519Item,
  MAX_IN_PLACE,
  verifyCofactored,
  verifyEd25519,
  verifyEd25519All,
  verifySecp256k1,
} from '#crypto'
import type { PublicKey } from './wire.ts'

/** A message, its signature of 64 bytes, and the public key that must have made the signature. */
export interface SignedItem {
  readonly publicKey: PublicKey
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

const SIGNATURE_SIZE = 64
/** The order of ed25519's prime subgroup. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n
/** The order of the group of secp256k1. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] as number)
  return value
}

function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

function toBigEndian(value: bigint, target: Uint8Array): void {
  let rest = value
  for (let i = target.length - 1; i >= 0; i--) {
    target[i] = Number(rest & 0xffn)
    rest >>= 8n
  }
}

function wellFormedEd25519({ publicKey, signature }: SignedItem): boolean {
  return publicKey.bytes.length === 32 && signature.length === SIGNATURE_SIZE
}

/**
 * Decides exactly as ZIP-215 about a signature that the fast check refused. The caller has checked that the number s of
 * the signature is below the order of the subgroup. For an honest key, native code decides. JavaScript decides, in
 * about two milliseconds, if libsodium is missing, or if the key is not a canonical point of the prime-order subgroup.
 * If an application accepts a validator with such a key, each forged signature under this key costs about two
 * milliseconds.
 */
function verifyZip215(item: SignedItem): boolean {
  const { publicKey, message, signature } = item
  const decided = verifyCofactored(rawItem(item))
  if (decided !== undefined) return decided
  try {
    return ed25519.verify(signature, message, publicKey.bytes, { zip215: true })
  } catch {
    return false
  }
}

/**
 * Returns r and s if both numbers are in range and s is low; otherwise `undefined`. Like the reference, this function
 * first reduces both numbers modulo the order of the group.
 */
function normalizedSecp256k1(signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== SIGNATURE_SIZE) return undefined
  const r = bigEndian(signature.subarray(0, 32))
  const s = bigEndian(signature.subarray(32))
  const [rn, sn] = [r % N, s % N]
  if (rn === 0n || sn === 0n || sn > N / 2n) return undefined
  if (rn === r && sn === s) return signature
  const reduced = new Uint8Array(SIGNATURE_SIZE)
  toBigEndian(rn, reduced.subarray(0, 32))
  toBigEndian(sn, reduced.subarray(32))
  return reduced
}

function verifySecp({ publicKey, message, signature }: SignedItem): boolean {
  const normal = normalizedSecp256k1(signature)
  return normal !== undefined && publicKey.bytes.length === 33 && verifySecp256k1(publicKey.bytes, message, normal)
}

const rawItem = ({ publicKey, message, signature }: SignedItem): Ed25519Item => ({
  publicKey: publicKey.bytes,
  message,
  signature,
})

/**
 * Runs the fast check. Returns `undefined` if the fast check refuses an Ed25519 signature that ZIP-215 may still
 * accept. In this case only {@link verifyExactly} can decide, which costs {@link exactCheckCost}.
 */
export function verifyQuickly(item: SignedItem): boolean | undefined {
  if (item.publicKey.type !== 'ed25519') return verifySecp(item)
  if (!wellFormedEd25519(item)) return false
  return verifyEd25519(rawItem(item)) || refusal(item)
}

/**
 * Returns the answer for a well-formed item that the fast check refused: `false` if the refusal is final, otherwise
 * `undefined`.
 */
function refusal({ signature }: SignedItem): false | undefined {
  return acceptsAllOfZip215 || littleEndian(signature.subarray(32)) >= L ? false : undefined
}

/** Does the same as {@link verifyQuickly} for many items, without holding the event loop for long. */
export async function verifyAllQuickly(items: readonly SignedItem[]): Promise<(boolean | undefined)[]> {
  const answers = await verifyFast(items)
  return answers.map((valid, index) => {
    const item = items[index] as SignedItem
    return valid || !isFastEd25519(item) ? valid : refusal(item)
  })
}

/** The costs of the exact check, in units of about 0.2 ms: libsodium takes 0.2 ms, and JavaScript takes 2.5 ms. */
const [NATIVE_COST, JAVASCRIPT_COST] = [1, 12]

/** Returns the cost of the exact check of a signature that the fast check refused, in units of about 0.2 ms. */
export function exactCheckCost({ bytes }: PublicKey): number {
  return decidesCofactored(bytes) ? NATIVE_COST : JAVASCRIPT_COST
}

/** Decides about items for which {@link verifyQuickly} returns `undefined`. Accepts exactly what ZIP-215 accepts. */
export function verifyExactly(item: SignedItem): boolean {
  return isFastEd25519(item) ? (refusal(item) ?? verifyZip215(item)) : verifyItem(item)
}

function verifyItem(item: SignedItem): boolean {
  return verifyQuickly(item) ?? verifyZip215(item)
}

/**
 * Returns true if the key signed the message. Ed25519 accepts exactly what ZIP-215 accepts; secp256k1 requires a low s.
 */
export function verifySignature(publicKey: PublicKey, message: Uint8Array, signature: Uint8Array): boolean {
  return verifyItem({ publicKey, message, signature })
}

const isFastEd25519 = (item: SignedItem): boolean => item.publicKey.type === 'ed25519' && wellFormedEd25519(item)

/** Returns the results of the native verifiers. Their refusal of an Ed25519 signature is not final. */
async function verifyFast(items: readonly SignedItem[]): Promise<boolean[]> {
  const curve = await verifyEd25519All(items.filter(isFastEd25519).map(rawItem))
  let next = 0
  return items.map((item) => {
    if (isFastEd25519(item)) return curve[next++] as boolean
    return item.publicKey.type !== 'ed25519' && verifySecp(item)
  })
}

function verifySlow(item: SignedItem): boolean {
  return isFastEd25519(item) && (refusal(item) ?? verifyZip215(item))
}

/**
 * Verifies many signatures without blocking the event loop for long. The results are those of {@link verifySignature}.
 */
export async function verifySignatures(items: readonly SignedItem[]): Promise<boolean[]> {
  const answers = await verifyFast(items)
  return answers.map((valid, index) => valid || verifySlow(items[index] as SignedItem))
}

/**
 * Returns the index of the first signature that does not verify, or -1. Stops at this signature, so that a list of
 * forgeries costs only one slow check.
 */
export async function findInvalidSignature(items: readonly SignedItem[]): Promise<number> {
  if (items.length <= MAX_IN_PLACE) return findInvalidSignatureSync(items)
  const answers = await verifyFast(items)
  return answers.findIndex((valid, index) => !valid && !verifySlow(items[index] as SignedItem))
}

/** Does the same as {@link findInvalidSignature}, but on the calling thread, one signature after the other. */
export function findInvalidSignatureSync(items: readonly SignedItem[]): number {
  return items.findIndex((item) => !verifyItem(item))
}
