import { expect, test } from 'vitest'
import { createVerifiedVotes } from './verified-votes.ts'

const item = (key: number, message: number, signature: number) => ({
  publicKey: { type: 'ed25519', bytes: Uint8Array.of(key) } as const,
  message: Uint8Array.of(message),
  signature: Uint8Array.of(signature),
})

test('default: a vote counts as verified only with the same key, message and signature', () => {
  const votes = createVerifiedVotes({ capacity: 10 })
  votes.remember(item(1, 2, 3))
  expect(votes.has(item(1, 2, 3))).toBe(true)
  expect([votes.has(item(0, 2, 3)), votes.has(item(1, 0, 3)), votes.has(item(1, 2, 0))]).toEqual([false, false, false])
})

test('behavior: a full cache removes the oldest entry', () => {
  const votes = createVerifiedVotes({ capacity: 2 })
  for (const n of [1, 2, 1, 3]) votes.remember(item(n, n, n))
  expect([1, 2, 3].map((n) => votes.has(item(n, n, n)))).toEqual([false, true, true])
  const none = createVerifiedVotes({ capacity: 0 })
  none.remember(item(1, 1, 1))
  expect(none.has(item(1, 1, 1))).toBe(false)
})

test('behavior: the capacity grows with the number of signers', () => {
  const votes = createVerifiedVotes({ capacity: 20_000 })
  const numbered = (key: number, n: number) => ({
    ...item(key, 0, 0),
    message: Uint8Array.of(n & 255, n >> 8),
    signature: Uint8Array.of(n & 255, n >> 8, 1),
  })
  for (let n = 0; n < 10_000; n++) votes.remember(numbered(1, n))
  expect([7_999, 8_000, 9_999].map((n) => votes.has(numbered(1, n)))).toEqual([false, true, true])
  const all = Array.from({ length: 6_000 }, (_, n) => numbered(n % 200, n))
  const again = createVerifiedVotes({ capacity: 20_000 })
  for (const one of all) again.remember(one)
  expect(all.every((one) => again.has(one))).toBe(true)
})
