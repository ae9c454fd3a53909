import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { concatBytes } from '../src/bytes/index.ts'

/** A public key, a message and a signature, in the form that the back ends take. */
interface Ed25519Item {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

const { Point } = ed25519
const L = Point.Fn.ORDER
export const P = Point.Fp.ORDER
type EdPoint = InstanceType<typeof Point>

export function littleEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32)
  for (let i = 0, rest = value; i < 32; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}

const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** A point of order 8, and its multiples. */
const EIGHTH = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', true)
export const torsion = (i: number): EdPoint => (i === 0 ? Point.ZERO : EIGHTH.multiplyUnsafe(BigInt(i)))
export const product = (scalar: bigint): EdPoint => (scalar === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(scalar))

/**
 * Returns an encoding of the point that is not canonical. Returns the canonical encoding if the point has no other
 * encoding.
 */
export function otherEncoding(point: EdPoint): Uint8Array {
  const bytes = point.toBytes()
  const { y } = point.toAffine()
  const isXZero = point.toAffine().x === 0n
  const encoded = y < 19n ? littleEndian(y + P) : bytes.slice()
  if (y < 19n) encoded[31] = (encoded[31] as number) | ((bytes[31] as number) & 0x80)
  if (isXZero) encoded[31] = (encoded[31] as number) | 0x80
  return encoded
}

export interface Made {
  readonly secret: bigint
  readonly nonce: bigint
  readonly keyTorsion: number
  readonly nonceTorsion: number
  readonly keyIsOdd: boolean
  readonly nonceIsOdd: boolean
  readonly message: Uint8Array
  readonly wrong: 'nothing' | 's' | 'message' | 'nonce' | 'random nonce'
}

/** Makes a signature with the given torsion, encodings and fault. */
export function sign(made: Made): Ed25519Item {
  const encode = (point: EdPoint, isOdd: boolean): Uint8Array => (isOdd ? otherEncoding(point) : point.toBytes())
  const publicKey = encode(product(made.secret).add(torsion(made.keyTorsion)), made.keyIsOdd)
  const noncePoint = encode(product(made.nonce).add(torsion(made.nonceTorsion)), made.nonceIsOdd)
  const digest = createHash('sha512').update(noncePoint).update(publicKey).update(made.message).digest()
  const challenge = numberOf(digest) % L
  const s = (made.nonce + challenge * made.secret + (made.wrong === 's' ? 1n : 0n)) % L
  const r = noncePoint.slice()
  if (made.wrong === 'nonce') (r[0] as number) ^= 4
  if (made.wrong === 'random nonce') r.set(createHash('sha256').update(r).digest())
  const message = made.wrong === 'message' ? concatBytes(made.message, Uint8Array.of(1)) : made.message
  return { publicKey, message, signature: concatBytes(r, littleEndian(s)) }
}

/** The scalar 0 gives a point of small order, which may have an encoding that is not canonical. */
const scalar = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: L - 1n }))
/** Signatures of all torsions and encodings, with and without a fault. */
export const made = fc.record<Made>({
  secret: scalar,
  nonce: scalar,
  keyTorsion: fc.nat(7),
  nonceTorsion: fc.nat(7),
  keyIsOdd: fc.boolean(),
  nonceIsOdd: fc.boolean(),
  message: fc.uint8Array({ maxLength: 100 }),
  wrong: fc.constantFrom('nothing', 'nothing', 's', 'message', 'nonce', 'random nonce'),
})
