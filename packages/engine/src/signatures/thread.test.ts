import { getPriority } from 'node:os'
import { sodiumPath } from '@org/runtime/sodium'
import { utf8ToBytes } from '@org/types/bytes'
import {
  generateEd25519,
  generateSecp256k1,
  type PrivateKey,
  publicKeyOf,
  type SignedItem,
  sign,
} from '@org/types/crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createSignatureThread } from './thread.ts'

function item(key: PrivateKey, text: string): SignedItem {
  const message = utf8ToBytes(text)
  return { publicKey: publicKeyOf(key), message, signature: sign(key, message) }
}

/** A key and a signature of low order. libsodium refuses such a signature, but ZIP-215 accepts it. */
function lowOrder(): SignedItem {
  const identity = Uint8Array.of(1, ...new Uint8Array(31))
  return {
    publicKey: { type: 'ed25519', bytes: identity },
    message: utf8ToBytes('Zcash'),
    signature: Uint8Array.of(...identity, ...new Uint8Array(32)),
  }
}

const many = (count: number): SignedItem[] =>
  Array.from({ length: count }, (_, i) => item(generateEd25519(), `vote ${i}`))

test.skipIf(sodiumPath() === undefined)(
  'default: commits are checked at once, and the first bad signature of each commit is found',
  async () => {
    const priority = getPriority()
    const thread = createSignatureThread()
    onTestFinished(thread.stop)
    const items = many(60)
    const forged = items.with(41, { ...(items[41] as SignedItem), message: utf8ToBytes('else') }).with(50, lowOrder())
    const secp = items.with(3, item(generateSecp256k1(), 'another kind'))
    const asked = [items, forged, items.with(7, lowOrder()), secp, items.slice(0, 3), []]
    expect(await Promise.all(asked.map(thread.findInvalid))).toEqual([-1, 41, -1, -1, -1, -1])
    // The worker thread has verified neither the signature by another type of key nor the signatures of the small
    // commit.
    expect(thread.answered()).toBe(180)
    // Only the worker thread has lowered its priority. The main thread, which runs this test, keeps its priority.
    expect(getPriority()).toBe(priority)
  },
)

test('behavior: open and later requests are answered after the thread stops', async () => {
  const thread = createSignatureThread()
  const items = many(40)
  const forged = items.with(2, { ...(items[2] as SignedItem), message: utf8ToBytes('else') })
  const answers = Promise.all([thread.findInvalid(items), thread.findInvalid(forged)])
  thread.stop()
  expect(await answers).toEqual([-1, 2])
  expect(await thread.findInvalid(forged)).toBe(2)
  thread.stop()
})

test.skipIf(sodiumPath() === undefined)(
  'behavior: a waiting caller verifies signatures too, and the last one to finish answers',
  async () => {
    const thread = createSignatureThread()
    onTestFinished(thread.stop)
    expect(thread.help()).toBe(false)
    const items = many(61)
    const forged = items.with(60, { ...(items[60] as SignedItem), message: utf8ToBytes('else') })
    const answers = [items, items.with(1, lowOrder()), forged, forged.with(2, forged[60] as SignedItem)].map(
      thread.findInvalid,
    )
    let rounds = 0
    // The worker thread has not started yet, so the calling thread verifies all signatures of the first commit.
    while (thread.help()) rounds++
    expect(rounds).toBeGreaterThan(0)
    expect(await Promise.all(answers)).toEqual([-1, -1, 60, 2])
    // The value of `answered` is updated by a message of the worker thread. This message may arrive after the last
    // commit was verified.
    await expect.poll(() => thread.answered() + 4 * rounds).toBeGreaterThanOrEqual(4 * 61)
    expect(thread.help()).toBe(false)
  },
)
