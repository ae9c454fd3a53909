import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('default: a slot that is given back goes to the next in the queue, then to any caller', () => {
  const slots = createSemaphore(2)
  const entered: string[] = []
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => slots.acquire(() => void entered.push(name))) as [
    () => void,
    () => void,
    () => void,
    () => void,
  ]
  expect(entered).toEqual(['a', 'b'])
  c()
  a()
  // Caller `c` has left the queue, so the slot of `a` goes to `d`. The second call of `a()` has no effect.
  a()
  expect(entered).toEqual(['a', 'b', 'd'])
  b()
  d()
  for (const name of ['e', 'f', 'g']) slots.acquire(() => void entered.push(name))
  expect(entered).toEqual(['a', 'b', 'd', 'e', 'f'])
})

test('behavior: a limit of 0 means no limit', () => {
  const slots = createSemaphore(0)
  let entered = 0
  for (let i = 0; i < 100; i++) slots.acquire(() => void entered++)
  expect(entered).toBe(100)
})
