import { expect, test } from 'vitest'
import { createVirtualClock, repeat } from './index.ts'

test('default: the function is called after each interval, until the signal aborts', () => {
  const clock = createVirtualClock()
  const end = new AbortController()
  let calls = 0
  repeat(clock, { everyMs: 10, run: () => calls++, signal: end.signal })
  clock.advance(9)
  expect(calls).toBe(0)
  clock.advance(21)
  expect(calls).toBe(3)
  end.abort()
  clock.advance(100)
  expect([calls, clock.pending()]).toEqual([3, 0])
})

test('edge: a call may end the repetition, and no call begins after the end', () => {
  const clock = createVirtualClock()
  const end = new AbortController()
  let calls = 0
  const run = (): void => {
    calls++
    end.abort()
  }
  repeat(clock, { everyMs: 10, run, signal: end.signal })
  clock.advance(50)
  repeat(clock, { everyMs: 10, run, signal: end.signal })
  clock.advance(50)
  expect([calls, clock.pending()]).toEqual([1, 0])
})
