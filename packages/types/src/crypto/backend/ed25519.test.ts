import { ed25519 } from '@noble/curves/ed25519.js'
import { loadSodium } from '@org/runtime/sodium'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from '../../bytes/index.ts'
import { signEd25519, verifyEd25519, verifyEd25519All } from './ed25519.ts'
import { type Ed25519Item, signEd25519WithOpenSsl, verifyEd25519InPool, verifyEd25519WithOpenSsl } from './openssl.ts'

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size })

const signed = fc.record({ seed: bytes(32), message: fc.uint8Array({ maxLength: 300 }) }).map(
  ({ seed, message }): Ed25519Item => ({
    publicKey: ed25519.getPublicKey(seed),
    message,
    signature: ed25519.sign(message, seed),
  }),
)

/**
 * A signed item in which one bit of the key, the signature or the message is changed. These three are parts of one
 * buffer.
 */
const changed = fc
  .record({ item: signed, where: fc.nat(), bit: fc.nat(7) })
  .map(({ item, where, bit }): Ed25519Item => {
    const copy = { publicKey: item.publicKey.slice(), message: item.message.slice(), signature: item.signature.slice() }
    const field = [copy.publicKey, copy.signature, copy.message][where % 3] as Uint8Array
    if (field.length > 0) (field[where % field.length] as number) ^= 1 << bit
    const around = concatBytes(copy.publicKey, copy.signature, copy.message)
    return {
      publicKey: around.subarray(0, 32),
      signature: around.subarray(32, 96),
      message: around.subarray(96),
    }
  })

const random = fc.record({ publicKey: bytes(32), message: fc.uint8Array({ maxLength: 50 }), signature: bytes(64) })

test.skipIf(loadSodium() === undefined)(
  'property: libsodium and OpenSSL agree, one by one and in a list, and accept no signature that ZIP-215 refuses',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(signed, changed, random), { maxLength: 30 }), async (items) => {
        const answers = items.map(verifyEd25519)
        expect(await verifyEd25519All(items)).toEqual(answers)
        expect(items.map(verifyEd25519WithOpenSsl)).toEqual(answers)
        expect(await Promise.all(items.map(verifyEd25519InPool))).toEqual(answers)
        for (const [i, { publicKey, message, signature }] of items.entries()) {
          if (answers[i]) expect(ed25519.verify(signature, message, publicKey, { zip215: true })).toBe(true)
        }
      }),
      { numRuns: 10 },
    )
  },
)

test.skipIf(loadSodium() === undefined)(
  'property: libsodium and OpenSSL make the same signature, also with a wrong public key',
  () => {
    fc.assert(
      fc.property(bytes(32), fc.uint8Array({ maxLength: 300 }), (seed, message) => {
        const key = concatBytes(seed, ed25519.getPublicKey(seed))
        const signature = signEd25519(key, message)
        expect(signature).toEqual(signEd25519WithOpenSsl(key, message))
        expect(signature).toEqual(ed25519.sign(message, seed))
        const damaged = concatBytes(seed, ed25519.getPublicKey(new Uint8Array(32)))
        expect(signEd25519(damaged, message)).toEqual(signEd25519WithOpenSsl(damaged, message))
      }),
      { numRuns: 50 },
    )
  },
)
