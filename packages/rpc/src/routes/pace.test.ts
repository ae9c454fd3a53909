import { createVirtualClock, nextTurn } from '@org/runtime'
import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

function setUp() {
  const clock = createVirtualClock(0n)
  let waiting = 0
  const onWaiting = (change: number): void => {
    waiting += change
  }
  const pace = createPace({ clock, onWaiting })
  const log: string[] = []
  /** A call that takes some milliseconds. */
  const call = (name: string, ms = 0) =>
    pace.run(() => {
      clock.advance(ms)
      log.push(name)
      return name
    })
  return { pace, log, call, waiting: () => waiting }
}

test('default: calls are done at once while they have a share of the turn', () => {
  const { call, log, waiting } = setUp()
  expect([call('a'), call('b', 0.5), call('c', 5)]).toEqual(['a', 'b', 'c'])
  expect([log, waiting()]).toEqual([['a', 'b', 'c'], 0])
})

test('behavior: those beyond the share wait for later turns, in order, and others run in between', async () => {
  const { call, log, waiting } = setUp()
  expect(call('a', 2)).toBe('a')
  const later = [call('b', 2), call('c'), call('d', 2), call('e')]
  expect([log, waiting()]).toEqual([['a'], 4])
  const turns: string[][] = []
  while (waiting() > 0) {
    await nextTurn()
    turns.push(log.slice())
    // Nobody overtakes those who wait.
    if (log.at(-1) === 'b') later.push(call('f'))
  }
  expect(await Promise.all(later.map((one) => Promise.resolve(one)))).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect(log).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(turns.map(({ length }) => length)).toEqual([2, 4, 6])
})

test('error: who fails fails alone, at once or later', async () => {
  const { pace, call } = setUp()
  const fail = (): never => {
    throw new Error('no')
  }
  expect(() => pace.run(fail)).toThrow('no')
  expect(call('a', 2)).toBe('a')
  const failed = pace.run(fail)
  const rejected = pace.run(() => Promise.reject(new Error('later')))
  const good = call('b')
  await expect(failed).rejects.toThrow('no')
  await expect(rejected).rejects.toThrow('later')
  expect(await good).toBe('b')
})

test('behavior: beyond a bound nobody waits', async () => {
  const { call, log, waiting } = setUp()
  expect(call('a', 2)).toBe('a')
  const later = Array.from({ length: 5000 }, (_, i) => call(String(i)))
  expect([waiting(), log.length]).toEqual([4096, 905])
  await Promise.all(later.map((one) => Promise.resolve(one)))
  expect([waiting(), log.length]).toEqual([0, 5001])
})
