import { expect, test } from 'vitest'
import { createVerifiedVotes } from './verified-votes.ts'

const item = (key: number, message: number, signature: number) => ({
  publicKey: { type: 'ed25519', bytes: Uint8Array.of(key) } as const,
  message: Uint8Array.of(message),
  signature: Uint8Array.of(signature),
})

test('default: key, message and signature count together', () => {
  const votes = createVerifiedVotes({ capacity: 10 })
  votes.remember(item(1, 2, 3))
  expect(votes.has(item(1, 2, 3))).toBe(true)
  expect([votes.has(item(0, 2, 3)), votes.has(item(1, 0, 3)), votes.has(item(1, 2, 0))]).toEqual([false, false, false])
})

test('behavior: the oldest goes when it is full', () => {
  const votes = createVerifiedVotes({ capacity: 2 })
  for (const n of [1, 2, 1, 3]) votes.remember(item(n, n, n))
  expect([1, 2, 3].map((n) => votes.has(item(n, n, n)))).toEqual([false, true, true])
  const none = createVerifiedVotes({ capacity: 0 })
  none.remember(item(1, 1, 1))
  expect(none.has(item(1, 1, 1))).toBe(false)
})
