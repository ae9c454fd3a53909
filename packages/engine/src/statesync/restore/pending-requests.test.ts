import { expect, test } from 'vitest'
import { createPendingRequests } from './pending-requests.ts'

const chunk = (index: number) => ({ height: 1, format: 1, index })

test('behavior: a chunk that was requested twice from a peer may come twice, and not three times', () => {
  const pending = createPendingRequests(2)
  pending.add('a', chunk(0))
  pending.add('a', chunk(0))
  expect(pending.count('a')).toBe(1)
  expect([1, 2, 3].map(() => pending.remove('a', chunk(0)))).toEqual([true, true, false])
  expect(pending.count('a')).toBe(0)
})

test('behavior: the oldest of many requests are dropped, and a peer that is gone has no requests', () => {
  const pending = createPendingRequests(2)
  for (const index of [0, 1, 0, 2]) pending.add('a', chunk(index))
  expect(pending.remove('a', chunk(1))).toBe(false)
  expect(pending.remove('b', chunk(2))).toBe(false)
  pending.removePeer('a')
  expect(pending.remove('a', chunk(2))).toBe(false)
})
