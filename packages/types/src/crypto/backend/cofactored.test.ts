import { ed25519 } from '@noble/curves/ed25519.js'
import { loadSodium } from '@org/runtime/sodium'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  littleEndian,
  type Made,
  made,
  otherEncoding,
  P,
  product,
  sign,
  torsion,
} from '../../../test/made-signatures.ts'
import { canonicalPoint, verifyCofactored } from './cofactored.ts'
import type { Ed25519Item } from './openssl.ts'

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
  ])('default: a key of the subgroup is decided for any torsion of R: %i, %i', (_first, nonceTorsion) => {
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
        // If y is 1, x is 0. Then the sign bit of the canonical encoding is 0.
        if (y !== 1n) point[31] = (point[31] as number) | sign
        expect(canonicalPoint(encoded)).toEqual(point)
      }
    }
    const ordinary = product(99n).toBytes()
    expect(canonicalPoint(ordinary)).toEqual(ordinary)
  })
})
