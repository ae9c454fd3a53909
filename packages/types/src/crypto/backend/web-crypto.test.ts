import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type Made, made, sign } from '../../../test/made-signatures.ts'
import { verifyEd25519, verifyEd25519All } from './browser.ts'
import { acceptedByWebCrypto } from './web-crypto.ts'

const L = ed25519.Point.Fn.ORDER
const HONEST: Made = {
  ...{ secret: 5n, nonce: 7n, keyTorsion: 0, nonceTorsion: 0, keyIsOdd: false, nonceIsOdd: false },
  message: Uint8Array.of(1),
  wrong: 'nothing',
}

function withLargerS({ signature, ...item }: ReturnType<typeof sign>): ReturnType<typeof sign> {
  const large = signature.slice()
  let carry = 0n
  for (let i = 0; i < 32; i++) {
    const sum = BigInt(large[32 + i] as number) + ((L >> BigInt(8 * i)) & 0xffn) + carry
    large[32 + i] = Number(sum & 0xffn)
    carry = sum >> 8n
  }
  return { ...item, signature: large }
}

test('property: with WebCrypto a list is verified as ZIP-215 does, and WebCrypto accepts no other signature', async () => {
  const seen = { byWebCrypto: 0, byZip215Only: 0, refused: 0 }
  await fc.assert(
    // WebCrypto accepts few of the random signatures. So the test adds honest signatures, which WebCrypto accepts.
    fc.asyncProperty(fc.array(fc.oneof(made, fc.constant(HONEST)), { maxLength: 5 }), async (list) => {
      const items = list.map(sign)
      const [accepted, answers] = [await acceptedByWebCrypto(items), await verifyEd25519All(items)]
      expect(answers).toEqual(items.map(verifyEd25519))
      for (const [i, valid] of answers.entries()) {
        if (accepted[i] === true) seen.byWebCrypto++
        else if (valid) seen.byZip215Only++
        else seen.refused++
        if (accepted[i] === true) expect(valid).toBe(true)
      }
    }),
    { numRuns: 100 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})

test('default: WebCrypto is asked about each signature, and s must be below the order', async () => {
  const verify = vi.spyOn(globalThis.crypto.subtle, 'verify')
  const honest = sign(HONEST)
  expect(await acceptedByWebCrypto([honest, honest, withLargerS(honest)])).toEqual([true, true, false])
  expect(verify).toHaveBeenCalledTimes(2)
  verify.mockRestore()
})

test('default: a key that is not a point is refused without an error', async () => {
  const honest = sign(HONEST)
  const items = [
    { ...honest, publicKey: new Uint8Array(32).fill(2) },
    { ...honest, publicKey: new Uint8Array(3) },
  ]
  expect(await verifyEd25519All(items)).toEqual([false, false])
})

test('default: without WebCrypto, as in a page of plain HTTP, JavaScript decides', async () => {
  vi.stubGlobal('crypto', undefined)
  try {
    expect(await acceptedByWebCrypto([sign(HONEST)])).toEqual([false])
    expect(await verifyEd25519All([sign(HONEST), sign({ ...HONEST, wrong: 's' })])).toEqual([true, false])
  } finally {
    vi.unstubAllGlobals()
  }
})
