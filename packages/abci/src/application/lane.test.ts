import { describe, expect, test } from 'vitest'
import { createCallLane } from './lane.ts'

describe('default', () => {
  test('a call that returns its answer immediately makes no promise', () => {
    const lane = createCallLane()
    expect(lane.run(() => 1)).toBe(1)
    expect(lane.run(() => 2)).toBe(2)
  })

  test('each call waits for the call before it', async () => {
    const lane = createCallLane()
    const order: number[] = []
    const gate = Promise.withResolvers<void>()
    const first = lane.run(() => gate.promise.then(() => void order.push(1)))
    const rest = Array.from({ length: 50_000 }, (_, i) => lane.run(() => void order.push(i + 2)))
    expect(order).toEqual([])
    gate.resolve()
    await Promise.all([first, ...rest])
    expect(order).toEqual(Array.from({ length: 50_001 }, (_, i) => i + 1))
    expect(lane.run(() => 'free')).toBe('free')
  })
})

describe('limit', () => {
  /** Returns the shortest processor time of three runs in microseconds. Each run has `count` asynchronous calls. */
  async function costOf(count: number): Promise<number> {
    let shortest = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3; run++) {
      const lane = createCallLane()
      const before = process.cpuUsage()
      await Promise.all(Array.from({ length: count }, (_, i) => Promise.resolve(lane.run(async () => i))))
      shortest = Math.min(shortest, process.cpuUsage(before).user)
    }
    return shortest
  }

  test('the time of waiting calls grows with their number, and not with its square', async () => {
    const small = await costOf(10_000)
    expect(await costOf(80_000)).toBeLessThan(8 * 4 * Math.max(small, 5000))
  })
})

describe('error', () => {
  test('a failed call does not stop the later calls', async () => {
    const lane = createCallLane()
    const fail = (): never => {
      throw new Error('no')
    }
    expect(() => lane.run(fail)).toThrow('no')
    const slow = lane.run(() => Promise.reject(new Error('slow')))
    const queued = lane.run(fail)
    const last = lane.run(() => 3)
    await expect(slow).rejects.toThrow('slow')
    await expect(queued).rejects.toThrow('no')
    expect(await last).toBe(3)
  })
})
