import { x25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { x25519Pair } from './x25519.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('default: the shared secrets are those of RFC 7748', () => {
  const hex = (text: string): Uint8Array => hexToBytes(text) as Uint8Array
  const secret = hex('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4')
  const point = hex('e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c')
  expect(bytesToHex(x25519Pair(secret).agree(point) as Uint8Array).toLowerCase()).toBe(
    'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
  )
})

test('property: another implementation gives the same result for any secret and any point, also if its encoding is not canonical', () => {
  fc.assert(
    fc.property(key, key, (secret, point) => {
      const pair = x25519Pair(secret)
      expect(pair.public).toEqual(x25519.getPublicKey(secret))
      expect(pair.agree(point)).toEqual(x25519.getSharedSecret(secret, point))
    }),
    { numRuns: 100 },
  )
})

test('error: a point of low order gives no shared secret', () => {
  expect(x25519Pair(new Uint8Array(32).fill(7)).agree(new Uint8Array(32))).toBe(undefined)
})
