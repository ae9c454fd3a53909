import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { loadSodium } from '@org/runtime/sodium'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concatBytes } from '../../bytes/index.ts'
import { canonicalPoint, verifyCofactored } from './cofactored.ts'
import type { Ed25519Item } from './openssl.ts'

const { Point } = ed25519
const L = Point.Fn.ORDER
const P = Point.Fp.ORDER
type EdPoint = InstanceType<typeof Point>

function littleEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32)
  for (let i = 0, rest = value; i < 32; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}

const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** A point of order 8, and its multiples. */
const EIGHTH = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', true)
const torsion = (i: number): EdPoint => (i === 0 ? Point.ZERO : EIGHTH.multiplyUnsafe(BigInt(i)))
const product = (scalar: bigint): EdPoint => (scalar === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(scalar))

/** An encoding of the same point that is not canonical, if there is one. */
function otherEncoding(point: EdPoint): Uint8Array {
  const bytes = point.toBytes()
  const { y } = point.toAffine()
  const isXZero = point.toAffine().x === 0n
  const encoded = y < 19n ? littleEndian(y + P) : bytes.slice()
  if (y < 19n) encoded[31] = (encoded[31] as number) | ((bytes[31] as number) & 0x80)
  if (isXZero) encoded[31] = (encoded[31] as number) | 0x80
  return encoded
}

interface Made {
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
function sign(made: Made): Ed25519Item {
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

/** Small scalars give the points that have other encodings. */
const scalar = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: L - 1n }))
const made = fc.record<Made>({
  secret: scalar,
  nonce: scalar,
  keyTorsion: fc.nat(7),
  nonceTorsion: fc.nat(7),
  keyIsOdd: fc.boolean(),
  nonceIsOdd: fc.boolean(),
  message: fc.uint8Array({ maxLength: 100 }),
  wrong: fc.constantFrom('nothing', 'nothing', 's', 'message', 'nonce', 'random nonce'),
})

function accepts({ publicKey, message, signature }: Ed25519Item): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: true })
  } catch {
    return false
  }
}

const RUNS = Number(process.env.HALLEY_SIGNATURES ?? 300)

describe.skipIf(loadSodium() === undefined)('verifyCofactored', () => {
  test('property: decides as ZIP-215 does, or leaves the decision to the caller', { timeout: 3_600_000 }, () => {
    const seen = { accepted: 0, refused: 0, undecided: 0 }
    fc.assert(
      fc.property(made, (given) => {
        const item = sign(given)
        const decided = verifyCofactored(item)
        if (decided === undefined) seen.undecided++
        else if (decided) seen.accepted++
        else seen.refused++
        if (decided !== undefined) expect(decided).toBe(accepts(item))
      }),
      { numRuns: RUNS },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })

  test.each([
    [1, 3],
    [0, 5],
  ])('default: decides for a key of the subgroup, for any torsion of R: %i, %i', (_first, nonceTorsion) => {
    const given: Made = {
      secret: 5n,
      nonce: 7n,
      keyTorsion: 0,
      nonceTorsion,
      keyIsOdd: false,
      nonceIsOdd: false,
      message: Uint8Array.of(1),
      wrong: 'nothing',
    }
    expect(verifyCofactored(sign(given))).toBe(true)
    expect(verifyCofactored(sign({ ...given, wrong: 's' }))).toBe(false)
    expect(verifyCofactored(sign({ ...given, keyTorsion: 1 }))).toBe(undefined)
  })

  test('behavior: each encoding of a point has one canonical form', () => {
    for (let i = 0; i < 8; i++) expect(canonicalPoint(otherEncoding(torsion(i)))).toEqual(torsion(i).toBytes())
    for (let y = 0n; y < 19n; y++) {
      for (const sign of [0, 0x80]) {
        const encoded = littleEndian(y + P)
        encoded[31] = (encoded[31] as number) | sign
        const point = littleEndian(y)
        // x is 0 where y is 1, and has no sign then.
        if (y !== 1n) point[31] = (point[31] as number) | sign
        expect(canonicalPoint(encoded)).toEqual(point)
      }
    }
    const ordinary = product(99n).toBytes()
    expect(canonicalPoint(ordinary)).toEqual(ordinary)
  })
})
