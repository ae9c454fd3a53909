import { bytesToHex } from '@org/types/bytes'
import { generateEd25519, publicKeyOf, sign } from '@org/types/crypto'
import { describe, expect, test } from 'vitest'
import { browserProgram, openSite } from './browser-site.ts'

interface Entry {
  readonly hexToBytes: (text: string) => Uint8Array
  readonly verifySignatures: (items: readonly unknown[]) => Promise<boolean[]>
}

/** A public key, a message and a signature in hexadecimal. */
type HexItem = readonly [string, string, string]

const message = new TextEncoder().encode('a block')
const signed = Array.from({ length: 3 }, (_, i): HexItem => {
  const key = generateEd25519(new Uint8Array(32).fill(i + 1))
  return [bytesToHex(publicKeyOf(key).bytes), bytesToHex(message), bytesToHex(sign(key, message))]
})
const [honest, other] = signed as [HexItem, HexItem]
const forged: HexItem = [honest[0], honest[1], other[2]]
/** A signature of zeros with a key of small order. ZIP-215 accepts this signature, but some libraries refuse it. */
const smallOrder: HexItem = [`01${'00'.repeat(31)}`, honest[1], `01${'00'.repeat(63)}`]

describe.skipIf(browserProgram === undefined)('signatures in a browser', () => {
  test('signatures are verified by WebCrypto, and in JavaScript if WebCrypto refuses them', async () => {
    await using closing = new AsyncDisposableStack()
    const site = await openSite('browser-signatures-entry.ts')
    closing.defer(site.close)
    const page = await site.page()
    const seen = await page.evaluate(
      async (list) => {
        const { hexToBytes, verifySignatures } = (globalThis as unknown as { bundle: Entry }).bundle
        let calls = 0
        const { subtle } = globalThis.crypto
        const verify = subtle.verify.bind(subtle)
        subtle.verify = async (...given) => {
          const answer = await verify(...given)
          if (answer) calls++
          return answer
        }
        const items = list.map(([key, text, signature]) => ({
          publicKey: { type: 'ed25519', bytes: hexToBytes(key) },
          message: hexToBytes(text),
          signature: hexToBytes(signature),
        }))
        return { answers: await verifySignatures(items), calls }
      },
      [...signed, forged, smallOrder],
    )
    expect(seen.answers).toEqual([true, true, true, false, true])
    expect(seen.calls).toBeGreaterThanOrEqual(signed.length)
  })
})
