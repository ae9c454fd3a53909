import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReceiveBudget } from './receive-budget.ts'

/**
 * Makes a budget, and a function that adds a connection to the budget. The weight of a connection is the product of its
 * bytes and of `steps`. In these tests, `steps` is the time for which the connection has held its bytes.
 */
function open(maxBytes: number) {
  const budget = createReceiveBudget(maxBytes)
  const dropped: string[] = []
  const connect = (name: string) => {
    const holder = { bytes: 0, steps: 1 }
    const share = budget.join({
      weight: () => holder.bytes * holder.steps,
      drop: (error) => {
        expect(error).toMatchObject({ code: 'MCONN_RECEIVE_BUDGET' })
        dropped.push(name)
      },
    })
    const hold = (bytes: number): void => {
      holder.bytes += bytes
      share.add(bytes)
    }
    return { holder, hold, leave: share.release }
  }
  return { budget, dropped, connect }
}

test('behavior: above the budget the peer with the largest and oldest unfinished messages is dropped', () => {
  const { budget, dropped, connect } = open(100)
  const [a, b, c] = [connect('a'), connect('b'), connect('c')]
  a.hold(40)
  a.holder.steps = 10
  b.hold(45)
  c.hold(15)
  expect([dropped, budget.bytes()]).toEqual([[], 100])
  c.hold(1)
  expect([dropped, budget.bytes()]).toEqual([['a'], 61])
  a.hold(50)
  expect(budget.bytes()).toBe(61)
  b.leave()
  b.leave()
  expect(budget.bytes()).toBe(16)
})

test('behavior: a slow peer with less than an equal share is not dropped, for any new messages of others', () => {
  const { dropped, connect } = open(100)
  const slow = connect('slow')
  slow.hold(10)
  slow.holder.steps = 1_000_000
  for (let i = 0; i < 50; i++) connect(`fresh ${i}`).hold(30)
  expect(dropped).not.toContain('slow')
  expect(dropped.length).toBeGreaterThan(40)
})

test('property: the total never exceeds the budget', () => {
  const step = fc.record({ who: fc.nat(9), bytes: fc.integer({ min: -30, max: 60 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const { budget, connect } = open(100)
      const peers = Array.from({ length: 10 }, (_, i) => connect(String(i)))
      const held = peers.map(() => 0)
      for (const { who, bytes } of steps) {
        const change = Math.max(bytes, -(held[who] as number))
        held[who] = (held[who] as number) + change
        peers[who]?.hold(change)
        expect(budget.bytes()).toBeLessThanOrEqual(100)
        expect(budget.bytes()).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
