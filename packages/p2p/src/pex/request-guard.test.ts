import { expect, test } from 'vitest'
import { createRequestGuard } from './request-guard.ts'

test('default: two requests are free, then one per interval is allowed, and a new connection has two free requests again', () => {
  let now = 0
  const guard = createRequestGuard(10_000, () => now)
  expect([guard.mayAsk('a'), guard.mayAsk('a'), guard.mayAsk('a'), guard.mayAsk('b')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  now = 9999
  expect(guard.mayAsk('a')).toBe(false)
  now = 10_000
  expect([guard.mayAsk('a'), guard.mayAsk('a')]).toEqual([true, false])
  guard.forget('a')
  expect(guard.mayAsk('a')).toBe(true)
})
