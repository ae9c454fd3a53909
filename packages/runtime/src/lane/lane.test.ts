import { expect, test } from 'vitest'
import { createLane } from './lane.ts'

test('default: tasks run one after the other, also after a failure', async () => {
  const lane = createLane()
  let atWork = 0
  const order: number[] = []
  const work = (n: number) => async () => {
    expect(++atWork).toBe(1)
    await Promise.resolve()
    order.push(n)
    atWork--
    if (n === 2) throw new Error('two')
    return n
  }
  const results = await Promise.allSettled([1, 2, 3].map((n) => lane(work(n))))
  expect(order).toEqual([1, 2, 3])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await lane(() => 4)).toBe(4)
})
