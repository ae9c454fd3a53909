import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '../bytes/index.ts'
import * as browser from './backend/browser.ts'
import * as node from './backend/node.ts'
import {
  addressOf,
  ed25519FromSecret,
  exactCheckCost,
  findInvalidSignature,
  findInvalidSignatureSync,
  generateEd25519,
  generateSecp256k1,
  publicKeyOf,
  type SignedItem,
  sign,
  verifySignature,
  verifySignatures,
} from './index.ts'

const hex = (text: string): Uint8Array => hexToBytes(text) as Uint8Array
const P = 2n ** 255n - 19n
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function encodePoint(y: bigint, sign: 0n | 1n): Uint8Array {
  const value = y | (sign << 255n)
  return Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))
}

/** Returns the 14 encodings of points of small order that ZIP-215 accepts: 8 are canonical, and 6 are not. */
function smallOrderEncodings(): Uint8Array[] {
  const encodings = new Map<string, Uint8Array>()
  for (const text of ED25519_TORSION_SUBGROUP) {
    const { x, y } = ed25519.Point.fromHex(text).toAffine()
    for (const value of [y, y + P].filter((v) => v < 2n ** 255n)) {
      // If x is 0, the point has a second encoding, in which the sign bit of x is set.
      for (const bit of x === 0n ? ([0n, 1n] as const) : ([x & 1n] as (0n | 1n)[])) {
        const bytes = encodePoint(value, bit)
        encodings.set(bytesToHex(bytes), bytes)
      }
    }
  }
  return [...encodings.values()]
}

describe('ed25519', () => {
  const encodings = smallOrderEncodings()
  const vectors: SignedItem[] = encodings.flatMap((a) =>
    encodings.map((r) => ({
      publicKey: { type: 'ed25519', bytes: a } as const,
      message: utf8ToBytes('Zcash'),
      signature: concatBytes(r, new Uint8Array(32)),
    })),
  )

  test('default: all 196 ZIP-215 vectors verify, one by one and in a list', async () => {
    expect(encodings).toHaveLength(14)
    expect(vectors).toHaveLength(196)
    for (const { publicKey, message, signature } of vectors) {
      expect(verifySignature(publicKey, message, signature)).toBe(true)
      expect(browser.verifyEd25519({ publicKey: publicKey.bytes, message, signature })).toBe(true)
    }
    expect(await verifySignatures(vectors)).toEqual(vectors.map(() => true))
    expect(await findInvalidSignature(vectors)).toBe(-1)
  })

  test('behavior: the native verifier alone refuses some of them, so the fallback is needed', () => {
    const refused = vectors.filter((v) => !node.verifyEd25519({ ...v, publicKey: v.publicKey.bytes }))
    expect(refused.length).toBeGreaterThan(0)
  })

  test('behavior: the challenge is made from the received bytes, also if they are not canonical', () => {
    const key = generateEd25519(new Uint8Array(32).fill(9))
    const message = utf8ToBytes('over the bytes')
    const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(key.bytes.subarray(0, 32))
    for (const r of encodings) {
      // A signature (R, s) is valid if 8sB = 8R + 8kA. Here k is the challenge, and A = aB is the public key of the
      // scalar a. R has small order, so 8R = 0, and the test signs with s = k·a. So the signature is valid only if the
      // verifier makes k from the encoding of R in the signature, and not from another encoding of the same point.
      const k = ed25519.Point.Fn.create(littleEndian(sha512(concatBytes(r, pointBytes, message))))
      const s = ed25519.Point.Fn.toBytes(ed25519.Point.Fn.mul(k, scalar))
      expect(verifySignature(publicKeyOf(key), message, concatBytes(r, s))).toBe(true)
    }
  })

  // The duration shows which code decides: JavaScript takes about twelve times as long as native code for the same
  // forgery.
  test.skipIf(exactCheckCost(publicKeyOf(generateEd25519())) > 1)(
    'behavior: a forged signature under an honest key is decided by native code',
    () => {
      const key = generateEd25519()
      const publicKey = publicKeyOf(key)
      const message = utf8ToBytes('message')
      const good = sign(key, message)
      const forged = sign(generateEd25519(), message)
      /**
       * Returns the duration of the fastest of several runs, in milliseconds. Another process may slow down some of the
       * runs.
       */
      const quickest = (signature: Uint8Array): number => {
        const runs = Array.from({ length: 10 }, () => {
          const from = performance.now()
          for (let i = 0; i < 20; i++) verifySignature(publicKey, message, signature)
          return performance.now() - from
        })
        return Math.min(...runs)
      }
      quickest(good)
      expect(quickest(forged) / quickest(good)).toBeLessThan(10)
    },
  )

  test("behavior: the key, address and signature are the reference's", () => {
    const key = ed25519FromSecret(utf8ToBytes('secret'))
    expect(bytesToHex(addressOf(publicKeyOf(key)))).toBe('3A971FD02B4A07FC20AAD1936D3CB1D263B96E0F')
    const signature = sign(key, utf8ToBytes('message'))
    expect(bytesToHex(signature)).toBe(
      '02AD1DA0FB846DF6523F7F4C67C3AA0BD296588A7FC80E1F6A437BF8F632233B55E194D3A9E5338EF081B81F5101AE077EB2CA277A04276F36721FC701F86707',
    )
    expect(browser.signEd25519(key.bytes, utf8ToBytes('message'))).toEqual(signature)
  })

  test('error: a changed message, key or signature, an s not below L and a wrong size are refused', async () => {
    const key = generateEd25519()
    const [publicKey, message] = [publicKeyOf(key), utf8ToBytes('m')]
    const signature = sign(key, message)
    expect(verifySignature(publicKey, message, signature)).toBe(true)
    const L = ed25519.Point.Fn.ORDER
    const highS = signature.slice()
    highS.set(encodePoint(littleEndian(signature.subarray(32)) + L, 0n), 32)
    const bad: SignedItem[] = [
      { publicKey, message: utf8ToBytes('n'), signature },
      { publicKey: publicKeyOf(generateEd25519()), message, signature },
      { publicKey, message, signature: highS },
      { publicKey, message, signature: signature.subarray(1) },
      { publicKey, message, signature: new Uint8Array(0) },
      { publicKey: { type: 'ed25519', bytes: new Uint8Array(31) }, message, signature },
    ]
    expect(await verifySignatures(bad)).toEqual(bad.map(() => false))
    for (const item of bad) expect(findInvalidSignatureSync([item])).toBe(0)
    const good = { publicKey, message, signature }
    expect(await findInvalidSignature([good, good, ...bad])).toBe(2)
    expect(await verifySignatures([good, bad[0] as SignedItem, good])).toEqual([true, false, true])
  })
})

describe('secp256k1', () => {
  // Keys and signatures that the reference made: GenPrivKeySecp256k1([i]) signed "message i".
  const vectors = [
    {
      key: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01e',
      publicKey: '037241cbb79688a20d01ed093ebb06c6fd0341be948090ba0fda36a5efa742fe3d',
      address: '05365f49b8b424aaa0b99fed2003d42217406bb6',
      signature:
        'db3e69475d7ac0fd62f7348953ec6d025e80a3613c8aa537f56f2729201bf2590d4a236fa34401af76ddb13aaf599721ae5e730caac6f4947c61c693f64264fb',
    },
    {
      key: '4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459b',
      publicKey: '03c6713b2ac2495d1a879dc136abc06129a7bf355da486cd25f757e0a5f6f40f74',
      address: '844ca25f150268542691bba13bdafe403b1c8c86',
      signature:
        '58e86701abd0081dd351eb31a9429c3d815745cbd059b890a5ce7bcbaddfc7a01a06d45122d683ea812d34659e2f52fa6fba955e53c680d06dbb6ed39a44f13f',
    },
    {
      key: '084fed08b978af4d7d196a7446a86b58009e636b611db16211b65a9aadff29c6',
      publicKey: '02a65adee4ddb223ba95c97ccb83feba4049831cbd4be74e92200dff948d676808',
      address: '8d5442ea073251c1a3e158d286070c2abac75d0b',
      signature:
        'dbba02ef2d6a1bbc825f2ec2967c50240aeb99e69b39d5b6b81bcac863f938897248394212d9b232d5e61b838664ab2969832e5994e45b09cd8343bc9c164dbe',
      message: 'message 3',
    },
  ]

  test("default: the keys, addresses and signatures are the reference's", async () => {
    for (const [i, vector] of vectors.entries()) {
      const key = generateSecp256k1(hex(vector.key))
      const publicKey = publicKeyOf(key)
      const message = utf8ToBytes(vector.message ?? `message ${i}`)
      expect(bytesToHex(publicKey.bytes).toLowerCase()).toBe(vector.publicKey)
      expect(bytesToHex(addressOf(publicKey)).toLowerCase()).toBe(vector.address)
      expect(bytesToHex(sign(key, message)).toLowerCase()).toBe(vector.signature)
      expect(verifySignature(publicKey, message, hex(vector.signature))).toBe(true)
      expect(browser.verifySecp256k1(publicKey.bytes, message, hex(vector.signature))).toBe(true)
      expect(verifySignature(publicKey, utf8ToBytes('else'), hex(vector.signature))).toBe(false)
      expect(await verifySignatures([{ publicKey, message, signature: hex(vector.signature) }])).toEqual([true])
    }
  })

  test('error: a high s, a zero and a key that is not on the curve are refused', () => {
    const key = generateSecp256k1()
    const [publicKey, message] = [publicKeyOf(key), utf8ToBytes('m')]
    const signature = sign(key, message)
    const high = N - BigInt(`0x${bytesToHex(signature.subarray(32))}`)
    const highS = concatBytes(signature.subarray(0, 32), hex(high.toString(16).padStart(64, '0')))
    expect(verifySignature(publicKey, message, highS)).toBe(false)
    expect(verifySignature(publicKey, message, new Uint8Array(64))).toBe(false)
    expect(verifySignature(publicKey, message, signature.subarray(1))).toBe(false)
    const off = publicKey.bytes.slice().fill(0xff, 1)
    expect(verifySignature({ type: 'secp256k1', bytes: off }, message, signature)).toBe(false)
  })
})

describe('back ends', () => {
  test('default: all back ends compute the same digests', () => {
    for (const length of [0, 1, 55, 56, 64, 65, 1000]) {
      const bytes = new Uint8Array(length).fill(7)
      expect(node.sha256(bytes)).toEqual(browser.sha256(bytes))
      expect(node.ripemd160(bytes)).toEqual(browser.ripemd160(bytes))
      const [a, b] = [node.createDigestBuffer(2), browser.createDigestBuffer(2)]
      a.put(bytes, 32)
      b.put(bytes, 32)
      expect(a.bytes).toEqual(b.bytes)
    }
  })
})

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}
