import { expect, it } from 'vitest'
import { createVirtualClock } from '../clock/index.ts'
import { createBudget } from './budget.ts'

it('spends the saved budget at once, and then at most the rate per second', async () => {
  const clock = createVirtualClock()
  const budget = createBudget({ burst: 3, perSecond: 2 }, clock)
  expect([1, 1, 1, 1].map(budget.tryTake)).toEqual([true, true, true, false])
  clock.advance(1000)
  await Promise.resolve()
  expect([1, 1, 1].map(budget.tryTake)).toEqual([true, true, false])
  clock.advance(3_600_000)
  await Promise.resolve()
  expect([1, 1, 1, 1].map(budget.tryTake)).toEqual([true, true, true, false])
})

it('serves waiting callers in order, and a new caller after them', async () => {
  const clock = createVirtualClock()
  const budget = createBudget({ burst: 1, perSecond: 1 }, clock)
  const served: string[] = []
  for (const name of ['a', 'b', 'c']) void budget.take(1).then(() => served.push(name))
  await Promise.resolve()
  expect([served, budget.waiting(), budget.tryTake(1)]).toEqual([['a'], 2, false])
  clock.advance(1000)
  await Promise.resolve()
  expect(served).toEqual(['a', 'b'])
  clock.advance(1000)
  await Promise.resolve()
  expect([served, budget.waiting()]).toEqual([['a', 'b', 'c'], 0])
})

it('a cost above the burst is a debt, which is paid before the next cost', async () => {
  const clock = createVirtualClock()
  const budget = createBudget({ burst: 1, perSecond: 1 }, clock)
  expect(budget.tryTake(5)).toBe(true)
  budget.spend(2)
  clock.advance(6000)
  await Promise.resolve()
  expect(budget.tryTake(1)).toBe(false)
  clock.advance(1000)
  await Promise.resolve()
  expect(budget.tryTake(1)).toBe(true)
})
