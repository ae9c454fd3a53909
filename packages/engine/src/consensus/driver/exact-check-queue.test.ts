import { createBudget, createVirtualClock } from '@org/runtime'
import { Vote } from '@org/types'
import { expect, it } from 'vitest'
import { createExactCheckQueue } from './exact-check-queue.ts'

it('at the bound, the peer with the most messages is dropped, and the messages of other peers stay', async () => {
  const resumed: string[] = []
  const overflows: string[] = []
  const clock = createVirtualClock()
  const closing = new AbortController()
  const exactChecks = createBudget({ burst: 1, perSecond: 1 }, clock)
  exactChecks.spend(1)
  const queue = createExactCheckQueue(
    { capacity: 4, maxBytes: 100, signal: closing.signal },
    {
      exactChecks,
      costOf: () => 1,
      resume: ({ peerId }) => resumed.push(peerId),
      onOverflow: ({ peerId }) => overflows.push(peerId),
    },
  )
  const keep = (peerId: string, size = 1): void =>
    queue.add({ kind: 'peer', peerId, message: { kind: 'vote', vote: Vote.create() }, size })
  for (const peerId of ['a', 'b', 'b', 'b']) keep(peerId)
  const freed = queue.whenEmpty('b')
  keep('c')
  await freed
  expect([overflows, queue.size(), queue.has('b')]).toEqual([['b'], 2, false])
  // The bytes of the kept messages exceed `maxBytes`, so the messages of the peer with the most bytes are dropped.
  keep('c', 100)
  expect([overflows, queue.size()]).toEqual([['b', 'c'], 1])
  clock.advance(10_000)
  await queue.whenEmpty('a')
  expect(resumed).toEqual(['a'])
  keep('d')
  closing.abort()
  clock.advance(10_000)
  await expect.poll(() => exactChecks.waiting()).toBe(0)
  expect([resumed, queue.size()]).toEqual([['a'], 0])
})
