import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSenderSets, MAX_SENDERS_OF_TX, type Senders } from './sender-sets.ts'

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
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (given, maxNumbers) => {
      const sets = createSenderSets(maxNumbers)
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

test('limit: the senders of one transaction are bounded', () => {
  const sets = createSenderSets()
  let senders = sets.of(1)
  for (let sender = 2; sender <= 3 * MAX_SENDERS_OF_TX; sender++) senders = sets.union(senders, sets.of(sender))
  expect(senders.size).toBe(MAX_SENDERS_OF_TX)
  expect(senders.has(MAX_SENDERS_OF_TX)).toBe(true)
})

test('limit: the numbers in all kept sets are bounded, not the number of sets', () => {
  const sets = createSenderSets(50)
  const one = sets.of(1)
  const grow = (): Senders => [2, 3, 4, 5, 6, 7, 8].reduce<Senders>((all, next) => sets.union(all, sets.of(next)), one)
  const first = grow()
  // Eight sets contain 1, 2, 3, 4, 5, 6, 7 and 8 numbers, together 36. Seven further sets contain one number each. The
  // total of 43 is below the limit of 50.
  expect(grow()).toBe(first)
  // A further set of 9 numbers exceeds the limit of 50. So all kept sets are removed before the next set is made.
  sets.union(first, sets.of(9))
  sets.of(10)
  expect(grow()).not.toBe(first)
  expect(grow()).toEqual(first)
})
