import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSenderSets, type Senders } from './sender-sets.ts'

test('default: transactions with the same senders share one set', () => {
  const sets = createSenderSets()
  const [one, both] = [sets.of(3), sets.union(sets.of(3), sets.of(7))]
  expect([...one]).toEqual([3])
  expect([...both]).toEqual([3, 7])
  expect(sets.of(3)).toBe(one)
  expect(sets.union(one, sets.of(7))).toBe(both)
  expect(sets.union(both, sets.of(3))).toBe(both)
})

test('behavior: returns the same as separate sets, for any amount of sharing, and never changes a returned set', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 6 })), { maxLength: 40 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (given, maxSets) => {
      const sets = createSenderSets(maxSets)
      const shared: Senders[] = [0, 1, 2, 3].map(sets.of)
      const own = shared.map((set) => new Set(set))
      const before = shared.map((set) => [set, [...set]] as const)
      for (const [which, sender] of given) {
        shared[which] = sets.union(shared[which] as Senders, sets.of(sender))
        own[which]?.add(sender)
        before.push([shared[which], [...shared[which]]])
      }
      expect(shared.map((set) => [...set])).toEqual(own.map((set) => [...set]))
      for (const [set, senders] of before) expect([...set]).toEqual(senders)
    }),
  )
})
