import { expect, test } from 'vitest'
import { createVirtualClock } from '../clock/index.ts'
import { withTimeLimit } from './with-time-limit.ts'

const never = (): Promise<never> => new Promise(() => undefined)

test('default: the result is that of the work, and the timer ends', async () => {
  const clock = createVirtualClock()
  const limit = { clock, ms: 10, late: () => new Error('late') }
  expect(await withTimeLimit(limit, async () => 5)).toBe(5)
  await expect(withTimeLimit(limit, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(clock.pending()).toBe(0)
})

test('error: when the time is over, the signal of the work aborts, and the result rejects with the reason', async () => {
  const clock = createVirtualClock()
  const signals: AbortSignal[] = []
  const result = withTimeLimit({ clock, ms: 10, late: () => new Error('late') }, (signal) => {
    signals.push(signal)
    return never()
  })
  clock.advance(9)
  expect(signals[0]?.aborted).toBe(false)
  clock.advance(1)
  await expect(result).rejects.toThrow('late')
  expect(signals[0]?.aborted).toBe(true)
})

test('error: an abort by the caller ends the work before the time is over', async () => {
  const clock = createVirtualClock()
  const stop = new AbortController()
  const result = withTimeLimit({ clock, ms: 10, late: () => new Error('late'), signal: stop.signal }, never)
  stop.abort(new Error('stopped'))
  await expect(result).rejects.toThrow('stopped')
  expect(clock.pending()).toBe(0)
})
